#include "data/records/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/base/error.h"

namespace fastnn {
namespace {

/// Closes a file descriptor at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void fail_to_open(const std::filesystem::path& path, int error) {
  if (error == ENOENT || error == ENOTDIR)
    throw InputError("[records] expected a TFRecord file at {}; there is none ({}); check the path",
                     path.string(), std::strerror(error));
  throw EnvironmentError("[records] cannot open the TFRecord file {}: {}; check its permissions and the disk",
                         path.string(), std::strerror(error));
}

std::size_t size_of_file(const Descriptor& file, const std::filesystem::path& path) {
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) fail_to_open(path, errno);
  if (S_ISDIR(status.st_mode))
    throw InputError("[records] expected a TFRecord file at {}; it is a folder; name the files in it",
                     path.string());
  if (!S_ISREG(status.st_mode))
    throw InputError("[records] expected a TFRecord file at {}; it is a pipe or device; copy it to a file",
                     path.string());
  return static_cast<std::size_t>(status.st_size);
}

}  // namespace

MappedFile::MappedFile(std::filesystem::path path) : path_(std::move(path)) {
  // O_NONBLOCK: opening a pipe by mistake must not wait for its writer.
  const Descriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) fail_to_open(path_, errno);
  const std::size_t size = size_of_file(file, path_);
  if (size == 0) return;
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  if (start == MAP_FAILED)
    throw EnvironmentError("[records] cannot map the {} bytes of {} into memory: {}", size, path_.string(),
                           std::strerror(errno));
  bytes_ = {static_cast<const std::byte*>(start), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace fastnn
