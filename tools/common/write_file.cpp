#include "tools/common/write_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "engine/base/error.h"

namespace fastnn::tools {
namespace {

[[noreturn]] void fail(const char* action, const std::filesystem::path& file) {
  throw EnvironmentError(
      "[write_file] cannot {} {}: {}; check the folder, its permissions and the free space", action,
      file.string(), std::strerror(errno));
}

/// An open file descriptor.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& file, int flags)
      : number_(open(file.c_str(), flags | O_CLOEXEC, 0644)) {
    if (number_ < 0) fail("open", file);
  }
  ~Descriptor() { close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

void write_and_sync(const std::filesystem::path& file, std::string_view bytes) {
  const Descriptor descriptor(file, O_WRONLY | O_CREAT | O_TRUNC);
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", file);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fsync(descriptor.number()) != 0) fail("sync", file);
}

}  // namespace

void write_file(const std::filesystem::path& file, std::string_view bytes) {
  const std::filesystem::path aside = file.string() + ".tmp";
  try {
    write_and_sync(aside, bytes);
    if (std::rename(aside.c_str(), file.c_str()) != 0) fail("rename to", file);
  } catch (const EnvironmentError&) {
    unlink(aside.c_str());
    throw;
  }
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const Descriptor descriptor(folder, O_RDONLY | O_DIRECTORY);
  fsync(descriptor.number());  // some file systems cannot sync a folder; the file itself is safe by now
}

}  // namespace fastnn::tools
