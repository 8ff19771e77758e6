#pragma once

#include <filesystem>

namespace fastnn::tools {

/// Keeps other processes out of a run's folder for as long as it lives: a lock on the file fastnn-train.lock
/// there, which the system drops with the process, however that ends. On file systems without locks it keeps
/// nobody out.
class FolderLock {
 public:
  /// Throws EnvironmentError naming the process that has the folder, or if the file cannot be made.
  explicit FolderLock(const std::filesystem::path& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  int file_;
};

}  // namespace fastnn::tools
