#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/convert/image_record.h"
#include "engine/base/log.h"

namespace fastnn {

struct ConvertOptions {
  std::filesystem::path input_dir{};
  /// Made if it is not there; files of the same names are replaced, or kept where the converter says so.
  std::filesystem::path output_dir{};
  /// The rest serves class folders; 'seed' also gives the order of CIFAR-10's images where they are files.
  /// Record files of each split; fewer where there are fewer images.
  int shards = 5;
  /// Images, drawn by the seed, that become the split validation. 0 where input_dir holds a split of its own.
  std::int64_t validation_samples = 0;
  std::uint64_t seed = 0;
  /// What an image that cannot be decoded does.
  enum class BadImages {
    fail,  ///< ends the conversion
    skip,  ///< is left out, with a warning
  };
  BadImages bad_images = BadImages::fail;
  /// 0: as many as there are processors.
  int threads = 0;
};

/// A row of the table of converters: from a data set's published files to TFRecords in TF-Slim's layout.
struct Converter {
  std::string_view dataset;
  /// What input_dir must hold.
  std::string_view input;
  std::vector<WrittenFile> (*convert)(const ConvertOptions& options, const WriteProgress& progress, Log& log);
};

std::span<const Converter> converters();

/// By the data set's row, or, for any other name, from class folders (convert_class_folders).
/// Throws UsageError for a data set without a converter whose input_dir holds no class folders (lists those
/// with one), InputError for missing or damaged input, EnvironmentError if the output cannot be written.
std::vector<WrittenFile> convert_dataset(std::string_view dataset, const ConvertOptions& options,
                                         const WriteProgress& progress, Log& log);

}  // namespace fastnn
