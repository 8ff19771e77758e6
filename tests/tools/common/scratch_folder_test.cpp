#include "tools/common/scratch_folder.h"

#include <fstream>

#include "engine/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/messages.h"

using namespace fastnn::tests;
using fastnn::tools::ScratchFolder;

TEST_CASE("scratch_folder: is new and empty, and gone with its content at the end") {
  std::filesystem::path path;
  {
    const ScratchFolder folder;
    path = folder.path();
    CHECK(std::filesystem::is_empty(path));
    CHECK(ScratchFolder().path() != path);
    std::filesystem::create_directories(path / "inner");
    std::ofstream(path / "inner/file") << "text";
  }
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("scratch_folder: where none can be made the error names TMPDIR") {
  setenv("TMPDIR", "/nowhere", 1);
  CHECK(contains(message_of<fastnn::EnvironmentError>([] { const ScratchFolder folder; }), "TMPDIR"));
  unsetenv("TMPDIR");
}
