#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/convert/image_record.h"

namespace fastnn {

struct ConvertOptions {
  std::filesystem::path input_dir{};
  /// Made if it is not there; files of the same names are replaced.
  std::filesystem::path output_dir{};
};

/// A row of the table of converters: from a data set's published files to TFRecords in TF-Slim's layout.
struct Converter {
  std::string_view dataset;
  /// What input_dir must hold.
  std::string_view input;
  std::vector<WrittenFile> (*convert)(const ConvertOptions& options, const WriteProgress& progress);
};

std::span<const Converter> converters();

/// Throws UsageError for a data set without a converter (lists those with one), InputError for missing or
/// damaged input, EnvironmentError if the output cannot be written.
std::vector<WrittenFile> convert_dataset(std::string_view dataset, const ConvertOptions& options,
                                         const WriteProgress& progress);

}  // namespace fastnn
