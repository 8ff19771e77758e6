#include "engine/checkpoint/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/base/error.h"

namespace fastnn {
namespace {

std::string reason(int error) {
  return fmt::format("{} (errno {})", std::strerror(error), error);
}

}  // namespace

std::filesystem::path directory_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

std::filesystem::path with_suffix(const std::filesystem::path& path, std::string_view suffix) {
  std::filesystem::path result = path;
  result += suffix;
  return result;
}

ReadFile::ReadFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0 && (errno == ENOENT || errno == ENOTDIR))
    throw InputError("[checkpoint] no file {}; give the path of an existing one", path_.string());
  if (descriptor_ < 0)
    throw EnvironmentError("[checkpoint] cannot open {}: {}", path_.string(), reason(errno));
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor_);
    throw InputError("[checkpoint] expected a plain file, {} is none; give the path of a file",
                     path_.string());
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

ReadFile::ReadFile(ReadFile&& other) noexcept
    : path_(std::move(other.path_)), size_(other.size_), descriptor_(std::exchange(other.descriptor_, -1)) {}

ReadFile::~ReadFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ReadFile::read_at(std::uint64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      throw EnvironmentError("[checkpoint] cannot read {} bytes at byte {} of {}: {}", bytes.size(), offset,
                             path_.string(), reason(errno));
    if (got == 0)
      throw InputError(
          "[checkpoint] {} ends at byte {}, {} more bytes expected; it is truncated, take another copy",
          path_.string(), offset, bytes.size());
    offset += static_cast<std::uint64_t>(got);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

AsideFile::AsideFile(std::filesystem::path final_path, std::uint64_t expected_bytes)
    : final_path_(std::move(final_path)),
      aside_path_(with_suffix(final_path_, kAsideSuffix)),
      expected_bytes_(expected_bytes) {
  descriptor_ = ::open(aside_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("cannot create", errno);
}

AsideFile::~AsideFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(aside_path_.c_str());
}

void AsideFile::fail(const char* doing, int error) const {
  throw EnvironmentError(
      "[checkpoint] {} {}: {} bytes wanted, {} written: {}; what was saved before is untouched; free or repair the disk and save again",
      doing, aside_path_.string(), expected_bytes_, written_, reason(error));
}

void AsideFile::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("cannot write", errno);
    written_ += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

void AsideFile::sync() {
  if (::fsync(descriptor_) != 0) fail("cannot sync", errno);
}

void AsideFile::place() {
  if (::rename(aside_path_.c_str(), final_path_.c_str()) != 0) fail("cannot rename to its final name", errno);
  ::close(std::exchange(descriptor_, -1));
}

ReplacedFile::ReplacedFile(std::filesystem::path path)
    : path_(std::move(path)), replaced_path_(with_suffix(path_, kReplacedSuffix)) {
  moved_ = ::rename(path_.c_str(), replaced_path_.c_str()) == 0;
  if (!moved_ && errno != ENOENT)
    throw EnvironmentError("[checkpoint] cannot move {} out of the way: {}; check the folder's permissions",
                           path_.string(), reason(errno));
}

ReplacedFile::~ReplacedFile() {
  if (dropped_) return;
  if (moved_)
    ::rename(replaced_path_.c_str(), path_.c_str());
  else
    ::unlink(path_.c_str());
}

void ReplacedFile::drop() {
  dropped_ = true;
  if (moved_) ::unlink(replaced_path_.c_str());
}

void sync_directory(const std::filesystem::path& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!synced)
    throw EnvironmentError("[checkpoint] cannot sync the folder {}: {}; check the disk", directory.string(),
                           reason(error));
}

}  // namespace fastnn
