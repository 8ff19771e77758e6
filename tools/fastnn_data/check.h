#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tools/fastnn_data/record_files.h"

namespace fastnn::tools {

struct CheckOptions {
  /// Labels must be below it. 0: below the number of names in labels.txt beside the file; where there is
  /// none, any label from 0 will do.
  std::int64_t num_classes = 0;
  /// 0: as many as processors.
  int threads = 0;
};

/// What is wrong with a record, or from a record on.
struct Fault {
  std::string file;
  std::int64_t record = 0;
  /// Of the file (of its inflated stream if it is compressed), at which the record starts.
  std::int64_t byte = 0;
  std::string reason;
};

struct CheckResult {
  std::int64_t files = 0;
  /// Records that were found; those behind damaged framing are not.
  std::int64_t records = 0;
  /// Sorted as the files are, then by record.
  std::vector<Fault> faults;
};

/// Verifies record files on several threads: the framing and both checksums of each record, its Example, that
/// image/encoded and image/class/label are there, the label's range, that image/height and image/width, if
/// they are there, are the image's, and that the image can be decoded to its last row.
/// Throws EnvironmentError if a file cannot be opened; damaged files are faults.
CheckResult check_files(const std::vector<std::filesystem::path>& paths, const CheckOptions& options,
                        Log& log, const RecordProgress& progress);

}  // namespace fastnn::tools
