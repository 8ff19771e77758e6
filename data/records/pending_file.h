#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace fastnn {

/// A file that is written aside, in the folder of its final name, and appears there complete and synced with
/// commit(), or not at all: the destructor removes what was not committed. Its temporary name starts with a
/// dot, so that no glob pattern matches it, and is one that no other writer uses. One thread at a time.
/// Every function throws EnvironmentError, naming the final name and the system's reason, when the disk
/// refuses; nothing half-written is left then.
class PendingFile {
 public:
  explicit PendingFile(std::filesystem::path path);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Neither committed nor given up after an error.
  bool is_open() const { return file_ >= 0; }
  std::int64_t bytes() const { return bytes_; }

  /// Needs is_open().
  void append(std::span<const std::byte> bytes);
  void append(std::string_view text);

  /// Flushes, syncs, renames onto the final name (replacing a file of that name) and syncs the folder.
  /// A second call does nothing.
  void commit();

 private:
  void open();
  void flush();
  void discard();
  [[noreturn]] void fail(const char* action, int error);

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::vector<std::byte> buffer_;
  int file_ = -1;
  std::int64_t bytes_ = 0;
};

}  // namespace fastnn
