#include "data/records/pending_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/base/error.h"

namespace fastnn {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
/// Room for the rest of a temporary name in the 255 bytes that file systems allow.
constexpr std::size_t kLongestStem = 200;
constexpr int kMostAttempts = 1000;

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

/// Makes a rename last through a power failure. Some file systems cannot sync folders: no error then.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

PendingFile::PendingFile(std::filesystem::path path) : path_(std::move(path)) {
  buffer_.reserve(kBufferBytes);
  open();
}

PendingFile::~PendingFile() {
  discard();
}

void PendingFile::open() {
  const std::string stem = path_.filename().string().substr(0, kLongestStem);
  for (int attempt = 0; file_ < 0; ++attempt) {
    const auto name = folder_of(path_) / fmt::format(".{}.{}-{}.writing", stem, ::getpid(), attempt);
    file_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ >= 0) temporary_ = name;
    if (file_ < 0 && (errno != EEXIST || attempt == kMostAttempts)) fail("create", errno);
  }
}

void PendingFile::append(std::span<const std::byte> bytes) {
  bytes_ += static_cast<std::int64_t>(bytes.size());
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), kBufferBytes - buffer_.size()));
    buffer_.insert(buffer_.end(), part.begin(), part.end());
    if (buffer_.size() == kBufferBytes) flush();
    bytes = bytes.subspan(part.size());
  }
}

void PendingFile::append(std::string_view text) {
  append(std::as_bytes(std::span(text)));
}

void PendingFile::flush() {
  std::span<const std::byte> rest = buffer_;
  while (!rest.empty()) {
    const ::ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", errno);
    rest = rest.subspan(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void PendingFile::commit() {
  if (!is_open()) return;
  flush();
  if (::fsync(file_) != 0) fail("sync", errno);
  if (::close(std::exchange(file_, -1)) != 0) fail("close", errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename", errno);
  temporary_.clear();
  sync_folder(folder_of(path_));
}

void PendingFile::discard() {
  if (file_ >= 0) ::close(std::exchange(file_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

void PendingFile::fail(const char* action, int error) {
  discard();
  throw EnvironmentError(
      "[data] cannot {} {}: {}; nothing of it was kept; check the disk's space and the folder's permissions",
      action, path_.string(), std::strerror(error));
}

}  // namespace fastnn
