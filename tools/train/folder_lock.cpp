#include "tools/train/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "engine/base/error.h"

namespace fastnn::tools {
namespace {

std::string owner_of(int file) {
  char text[32] = {};
  const ssize_t size = pread(file, text, sizeof(text) - 1, 0);
  return size > 0 ? fmt::format("process {}", std::string(text, static_cast<std::size_t>(size)))
                  : "another process";
}

void note_owner(int file) {
  const std::string owner = std::to_string(getpid());
  // Only for the message to others: a failure is no matter.
  [[maybe_unused]] const bool noted =
      ftruncate(file, 0) == 0 && pwrite(file, owner.data(), owner.size(), 0) > 0;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder)
    : file_(open((folder / "fastnn-train.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0)
    throw EnvironmentError("[run] cannot make {}: {}; choose another output_dir",
                           (folder / "fastnn-train.lock").string(), std::strerror(errno));
  if (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    const std::string owner = owner_of(file_);
    close(file_);
    throw EnvironmentError("[run] {} is in use: {} trains there; wait for it, or choose another output_dir",
                           folder.string(), owner);
  }
  note_owner(file_);
}

FolderLock::~FolderLock() {
  close(file_);
}

}  // namespace fastnn::tools
