#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/fastnn_data/record_files.h"

namespace fastnn::tools {

/// How often a feature occurs, with which kind, and how large it is in one record that has it.
struct FeatureSummary {
  /// "bytes", "float", "int64", "no values"; several, in order and joined by '/', where records differ.
  std::string kinds;
  std::int64_t records = 0;
  /// Of the first record of all that has it: values, and their bytes (4 a float, 8 an int64).
  std::int64_t example_values = 0;
  std::int64_t example_bytes = 0;
};

/// Smallest, median (the lower of two) and largest of some numbers; zeros if there are none.
struct Spread {
  std::int64_t min = 0, median = 0, max = 0;
};

/// What record files hold.
struct Inspection {
  std::int64_t files = 0;
  std::int64_t records = 0;
  /// Of the files as they are on the disk.
  std::int64_t bytes = 0;
  std::map<std::string, FeatureSummary> features;
  /// Records of each image/class/label.
  std::map<std::int64_t, std::int64_t> labels;
  /// By label, from labels.txt beside the first file that has one; may be empty.
  std::vector<std::string> class_names;
  /// By what the bytes of image/encoded are: "jpeg", "png", "gif", "bmp", "raw", "unknown".
  std::map<std::string, std::int64_t> formats;
  /// Of image/encoded in bytes; height and width as the headers of the images say.
  Spread image_bytes, heights, widths;
  /// Records that cannot be read, and files that are damaged: check says which.
  std::int64_t bad_records = 0;
  std::int64_t bad_files = 0;
};

/// Reads every record, but decodes no image. 0 threads: as many as processors. Damaged files and records are
/// counted and warned of. Throws InputError if there is no record at all, EnvironmentError if a file cannot
/// be opened.
Inspection inspect_files(const std::vector<std::filesystem::path>& paths, int threads, Log& log);

}  // namespace fastnn::tools
