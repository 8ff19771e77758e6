#pragma once

#include <filesystem>

namespace fastnn::tools {

/// A new empty folder for what nobody needs afterwards, in the system's folder of temporary files; removed
/// with all that is in it at the end of this object.
class ScratchFolder {
 public:
  /// Throws EnvironmentError if it cannot be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace fastnn::tools
