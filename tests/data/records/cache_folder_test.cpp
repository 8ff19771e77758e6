#include "data/records/cache_folder.h"

#include <cstdlib>
#include <optional>

#include "engine/base/error.h"
#include "tests/data/records/files.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

/// An environment variable until the end of the scope.
class Variable {
 public:
  Variable(const char* name, const std::optional<std::string>& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Variable() { set(before_); }

 private:
  void set(const std::optional<std::string>& value) const {
    if (value)
      ::setenv(name_, value->c_str(), 1);
    else
      ::unsetenv(name_);
  }

  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("cache folder: the one asked for is made and taken") {
  const TemporaryFolder folder;
  NoLog log;
  CHECK(choose_cache_folder(folder / "a/b", folder.path(), log) == folder / "a/b");
  CHECK(std::filesystem::is_directory(folder / "a/b"));
  CHECK(std::filesystem::is_empty(folder / "a/b"));
}

TEST_CASE("cache folder: the one asked for must be writable") {
  const TemporaryFolder folder;
  NoLog log;
  write_content(folder / "file", "x");
  CHECK(holds_all(
      message_of<EnvironmentError>([&] { choose_cache_folder(folder / "file", folder.path(), log); }),
      {"cannot create", "file", "folder's permissions"}));
}

TEST_CASE("cache folder: it stands beside the files, else in the user's cache, else nowhere, with a word") {
  const TemporaryFolder folder;
  LinesLog log;
  CHECK(choose_cache_folder("", folder.path(), log) == folder.path());
  const Variable cache("XDG_CACHE_HOME", (folder / "cache").string());
  CHECK(choose_cache_folder("", "/proc", log) == folder / "cache/fastnn");
  const Variable no_cache("XDG_CACHE_HOME", std::nullopt);
  const Variable home("HOME", (folder / "home").string());
  CHECK(choose_cache_folder("", "/proc", log) == folder / "home/.cache/fastnn");
  CHECK(log.lines.empty());
  const Variable no_home("HOME", "/proc/none");
  CHECK(choose_cache_folder("", "/proc", log).empty());
  CHECK(holds_all(log.lines, {"neither /proc nor /proc/none/.cache/fastnn can be written"}));
}

TEST_CASE("cache folder: a stamp tells size and time, and names a missing file") {
  const TemporaryFolder folder;
  const auto path = write_content(folder / "a", "abc");
  const FileStamp before = stamp_of(path);
  CHECK(before.bytes == 3);
  CHECK(stamp_of(path) == before);
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(5));
  CHECK_FALSE(stamp_of(path) == before);
  CHECK(holds_all(message_of<InputError>([&] { stamp_of(folder / "none"); }), {"none", "there is none"}));
  CHECK_THROWS_AS(stamp_of(std::string(300, 'x')), EnvironmentError);
}
