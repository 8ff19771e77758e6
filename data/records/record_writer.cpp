#include "data/records/record_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "data/records/crc32c.h"
#include "engine/core/error.h"

namespace fastnn {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

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

RecordWriter::RecordWriter(std::filesystem::path path)
    : path_(std::move(path)), temporary_(path_.string() + fmt::format(".writing-{}", ::getpid())) {
  buffer_.reserve(kBufferBytes);
  file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) fail("create", errno);
}

RecordWriter::~RecordWriter() {
  discard();
}

void RecordWriter::write(std::span<const std::byte> payload) {
  if (file_ < 0)
    throw UsageError("[tfrecord] write() to {} after close() or an error; open another writer",
                     path_.string());
  const std::uint64_t length = payload.size();
  const std::uint32_t length_crc = mask_crc(crc32c(bytes_of(length)));
  const std::uint32_t payload_crc = mask_crc(crc32c(payload));
  append(bytes_of(length));
  append(bytes_of(length_crc));
  append(payload);
  append(bytes_of(payload_crc));
  ++records_;
}

void RecordWriter::write(std::string_view payload) {
  write(std::as_bytes(std::span(payload)));
}

void RecordWriter::close() {
  if (file_ < 0) return;
  flush();
  if (::fsync(file_) != 0) fail("sync", errno);
  if (::close(std::exchange(file_, -1)) != 0) fail("close", errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename", errno);
  temporary_.clear();
  sync_folder(folder_of(path_));
}

void RecordWriter::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), kBufferBytes - buffer_.size()));
    buffer_.insert(buffer_.end(), part.begin(), part.end());
    if (buffer_.size() == kBufferBytes) flush();
    bytes = bytes.subspan(part.size());
  }
}

void RecordWriter::flush() {
  std::span<const std::byte> rest = buffer_;
  while (!rest.empty()) {
    const ::ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", errno);
    rest = rest.subspan(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void RecordWriter::discard() {
  if (file_ >= 0) ::close(std::exchange(file_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

void RecordWriter::fail(const char* action, int error) {
  discard();
  throw EnvironmentError(
      "[tfrecord] cannot {} {}: {}; nothing of it was kept; check the disk's space and "
      "the folder's permissions",
      action, path_.string(), std::strerror(error));
}

}  // namespace fastnn
