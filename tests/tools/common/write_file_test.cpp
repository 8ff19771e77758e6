#include "tools/common/write_file.h"

#include <fstream>
#include <sstream>

#include "engine/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/messages.h"
#include "tests/support/run_command.h"

using fastnn::tests::contains;
using fastnn::tests::message_of;
using fastnn::tests::TemporaryFolder;
using fastnn::tools::write_file;

namespace {

std::string read(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("write_file: replaces the file and leaves nothing beside it") {
  const TemporaryFolder folder;
  write_file(folder / "a", "old text");
  write_file(folder / "a", std::string_view("n\0w", 3));
  CHECK(read(folder / "a") == std::string("n\0w", 3));
  CHECK_FALSE(std::filesystem::exists(folder / "a.tmp"));
}

TEST_CASE("write_file: a folder that is not there is named") {
  const TemporaryFolder folder;
  const std::string message =
      message_of<fastnn::EnvironmentError>([&] { write_file(folder / "none/a", "x"); });
  CHECK(contains(message, "none/a.tmp"));
  CHECK(contains(message, "No such file or directory"));
}

TEST_CASE("write_file: a failed rename keeps what was there and removes the temporary file") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "a/inside");
  CHECK_THROWS_AS(write_file(folder / "a", "x"), fastnn::EnvironmentError);
  CHECK(std::filesystem::exists(folder / "a/inside"));
  CHECK_FALSE(std::filesystem::exists(folder / "a.tmp"));
}

TEST_CASE("write_file: a full disk is an error of the environment") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder / "a.tmp");
  CHECK(contains(message_of<fastnn::EnvironmentError>([&] { write_file(folder / "a", "x"); }),
                 "No space left on device"));
}
