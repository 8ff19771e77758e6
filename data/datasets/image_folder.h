#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "data/records/record_source.h"
#include "engine/base/log.h"

namespace fastnn {

/// Whether a folder holds class folders, each with image files: folder/class/image.jpg. Files whose names end
/// with .jpg, .jpeg, .png, .gif, .bmp, .webp or .tiff count as images.
bool is_image_folder(const std::filesystem::path& folder);

/// Names of the class folders, sorted by their bytes; hidden ones do not count.
/// Throws EnvironmentError if the folder cannot be read.
std::vector<std::string> class_folders(const std::filesystem::path& folder);

/// The image files of a folder of class folders as records: each is read as an Example of image/encoded and
/// image/class/label, so that all that serves records serves files. Images may stand in folders inside the
/// class folders. The order is that of the sorted names. Thread-safe.
class ImageFolder final : public RecordSource {
 public:
  /// @param class_names names of the class folders by label; labels_offset is not subtracted from them.
  /// Warns of other files and of classes without a folder or image. Throws InputError for a class folder
  /// that has no name among them, and if there is no image at all; EnvironmentError if a folder cannot be
  /// read.
  ImageFolder(const std::filesystem::path& folder, const std::vector<std::string>& class_names, Log& log);

  std::int64_t size() const override { return static_cast<std::int64_t>(images_.size()); }
  std::vector<std::int64_t> records_per_file() const override;

  /// Throws InputError if the file is gone or was shortened, EnvironmentError if the system refuses.
  Record read(std::int64_t record, std::vector<std::byte>& room) const override;

 private:
  struct ImageFile {
    std::string path;
    std::int32_t label;
  };

  void add_class(const std::filesystem::path& folder, std::int32_t label, Log& log);

  std::vector<ImageFile> images_;
  std::int64_t others_ = 0;
};

}  // namespace fastnn
