#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace fastnn {

/// Writes a TFRecord file under a temporary name beside the final one; close() makes it appear, complete and
/// synced, or not at all. Without close() the destructor removes the temporary. One thread at a time.
/// Every function throws EnvironmentError, naming the file and the system's reason, when the disk refuses;
/// nothing half-written is left then.
class RecordWriter {
 public:
  explicit RecordWriter(std::filesystem::path path);
  ~RecordWriter();
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  /// Appends one record. Throws UsageError after close().
  void write(std::span<const std::byte> payload);
  void write(std::string_view payload);

  /// Flushes, syncs, renames onto the final name (replacing a file of that name) and syncs the folder.
  /// A second call does nothing.
  void close();

  std::int64_t records() const { return records_; }

 private:
  void append(std::span<const std::byte> bytes);
  void flush();
  void discard();
  [[noreturn]] void fail(const char* action, int error);

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::vector<std::byte> buffer_;
  std::int64_t records_ = 0;
  int file_ = -1;
};

}  // namespace fastnn
