#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fastnn {

/// An encoded image with what TF-Slim stores beside it.
struct ImageRecord {
  std::span<const std::byte> encoded{};
  /// "png", "jpg".
  std::string_view format{};
  std::int64_t label = 0;
  int height = 0;
  int width = 0;
};

/// The payload of one record in TF-Slim's layout: an Example of image/class/label, image/encoded,
/// image/format, image/height and image/width, in this order.
std::string serialize_image_record(const ImageRecord& record);

/// A file of records that is complete and in its place.
struct WrittenFile {
  std::filesystem::path path;
  std::int64_t records = 0;
  std::int64_t bytes = 0;
};

/// Told now and then how many samples of how many are done. May be empty.
using WriteProgress = std::function<void(std::int64_t done, std::int64_t total)>;

/// A record file to write.
struct RecordFilePlan {
  std::string name;
  std::int64_t samples = 0;
  /// The payload of sample 0 .. samples - 1, asked for once each, in order.
  std::function<std::string(std::int64_t sample)> payload;
};

/// Writes the record files of a data set and its labels.txt, replacing older ones. All are written aside and
/// renamed when the last is complete, labels.txt first: a run that is interrupted leaves the older files, or
/// none, and never a part of one. Makes the folder. Throws EnvironmentError if the disk refuses, and what
/// payload() throws.
std::vector<WrittenFile> write_record_files(const std::filesystem::path& folder,
                                            std::span<const RecordFilePlan> plans,
                                            std::span<const std::string_view> class_names,
                                            const WriteProgress& progress);

}  // namespace fastnn
