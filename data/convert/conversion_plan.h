#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "data/convert/convert.h"

namespace fastnn {

/// What a conversion of class folders is about to write, remembered in ".NAME-conversion" of output_dir, so
/// that a later run knows which files are parts of the same conversion. It is the same if all options that
/// the files depend on, and the names, sizes and times of all files of input_dir are.
class ConversionPlan {
 public:
  /// Makes output_dir. Where an older plan is another one, removes its files of the same names; removes
  /// what a run that was killed had not finished. One conversion at a time may write to a folder.
  /// Throws UsageError if output_dir has record files of NAME that are not among 'file_names',
  /// EnvironmentError if a folder cannot be read or written.
  ConversionPlan(const std::string& name, const ConvertOptions& options,
                 std::span<const std::string> file_names);

  /// The file, if it is there and every record of it is in its place; payloads are not verified.
  std::optional<WrittenFile> find_whole(const std::string& file_name) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace fastnn
