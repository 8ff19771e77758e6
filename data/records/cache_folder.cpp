#include "data/records/cache_folder.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "data/records/pending_file.h"
#include "engine/base/error.h"
#include "engine/base/hash.h"

namespace fastnn {
namespace fs = std::filesystem;
namespace {

fs::path users_cache_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "fastnn";
  const char* const home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? fs::path(home) / ".cache/fastnn" : fs::path();
}

/// Throws EnvironmentError if no file can be made there: permissions alone do not tell.
void require_writable(const fs::path& folder) {
  const PendingFile probe(folder / "probe");
}

bool is_writable(const fs::path& folder) {
  try {
    require_writable(folder);
    return true;
  } catch (const EnvironmentError&) {
    return false;
  }
}

}  // namespace

fs::path choose_cache_folder(const fs::path& asked, const fs::path& beside, Log& log) {
  std::error_code ignored;
  if (!asked.empty()) {
    fs::create_directories(asked, ignored);
    require_writable(asked);
    return asked;
  }
  if (is_writable(beside)) return beside;
  fs::path own = users_cache_folder();
  if (!own.empty()) fs::create_directories(own, ignored);
  if (!own.empty() && is_writable(own)) return own;
  log.info(
      fmt::format("[data] neither {} nor {} can be written: the index of the records is made in each run",
                  beside.string(), own.empty() ? "$HOME/.cache/fastnn" : own.string()));
  return {};
}

FileStamp stamp_of(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) == 0)
    return {.bytes = status.st_size,
            .changed_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
  if (errno == ENOENT || errno == ENOTDIR)
    throw InputError("[records] expected a TFRecord file at {}; there is none ({}); check the path",
                     file.string(), std::strerror(errno));
  throw EnvironmentError("[records] cannot open the TFRecord file {}: {}; check its permissions and the disk",
                         file.string(), std::strerror(errno));
}

std::string short_name_of(std::string_view text) {
  return fmt::format("{:016x}", fnv1a64(text));
}

}  // namespace fastnn
