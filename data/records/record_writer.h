#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "data/records/pending_file.h"

namespace fastnn {

/// Writes a TFRecord file aside; close() makes it appear, complete and synced, or not at all (see
/// PendingFile, whose errors are thrown). One thread at a time.
class RecordWriter {
 public:
  explicit RecordWriter(std::filesystem::path path);

  /// Appends one record. Throws UsageError after close().
  void write(std::span<const std::byte> payload);
  void write(std::string_view payload);

  /// Commits the file. A second call does nothing.
  void close() { file_.commit(); }

  std::int64_t records() const { return records_; }

 private:
  PendingFile file_;
  std::int64_t records_ = 0;
};

}  // namespace fastnn
