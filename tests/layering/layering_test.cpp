#include <string>
#include <utility>
#include <vector>

#include "tests/layering/source_rules.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

using namespace fastnn::tests;

namespace {

bool every_file_exists(const std::string&) {
  return true;
}
bool no_file_exists(const std::string&) {
  return false;
}

/// An include line, composed so that no line of this file is one.
std::string include(const std::string& name) {
  return "#include \"" + name + "\"\n";
}

bool mentions(const std::string& text, const std::string& part) {
  UNSCOPED_INFO(text);
  return text.find(part) != std::string::npos;
}

/// The only fault of a file that includes one name; empty if there is none.
std::string fault_of(const std::string& path, const std::string& name) {
  const auto faults = include_faults({path, include(name)}, every_file_exists);
  REQUIRE(faults.size() <= 1);
  return faults.empty() ? "" : faults.front();
}

std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "//\n";
  return text;
}

std::vector<SourceFile> code_files() {
  std::vector<SourceFile> files;
  for (auto& file : project_files(source_dir()))
    if (is_code(file.path)) files.push_back(std::move(file));
  return files;
}

void check_none(const std::vector<std::string>& faults) {
  for (const auto& fault : faults) FAIL_CHECK(fault);
}

}  // namespace

TEST_CASE("layering: every include of the project obeys the table of allowed folders") {
  const std::filesystem::path root = source_dir();
  const auto exists = [&](const std::string& path) { return std::filesystem::is_regular_file(root / path); };
  const auto files = code_files();
  CHECK(files.size() > 10);
  for (const auto& file : files) check_none(include_faults(file, exists));
}

TEST_CASE("layering: every file of the project is short, finished and free of machine paths") {
  for (const auto& file : project_files(source_dir())) check_none(text_faults(file));
}

TEST_CASE("layering: a folder includes itself and what stands below it") {
  CHECK(fault_of("kernels/a.cpp", "kernels/a.h").empty());
  CHECK(fault_of("engine/core/a.cpp", "kernels/a.h").empty());
  CHECK(fault_of("nets/a.cpp", "engine/graph/a.h").empty());
  CHECK(fault_of("tools/a.cpp", "optim/a.h").empty());
  CHECK(fault_of("tests/tools/a.cpp", "tools/a.h").empty());
  CHECK(fault_of("bench/a.cpp", "tests/support/a.h").empty());
  CHECK(fault_of("bench/a.cpp", "tools/common/a.h").empty());
  CHECK(fault_of("bench/a.cpp", "tools/parameters/a.h").empty());
  CHECK(fault_of("kernels/a.cpp", "version.h").empty());
}

TEST_CASE("layering: an include of a folder above is a fault that names file, line and what is allowed") {
  const auto faults = include_faults({"engine/core/a.cpp", "\n" + include("nets/a.h")}, every_file_exists);
  REQUIRE(faults.size() == 1);
  CHECK(
      faults[0] ==
      "engine/core/a.cpp:2: engine/core/ must not include \"nets/a.h\"; it may include kernels/ engine/base/ engine/core/");
  CHECK(mentions(fault_of("kernels/a.h", "engine/core/a.h"), "must not include"));
  CHECK(mentions(fault_of("nets/a.h", "tools/a.h"), "must not include"));
  CHECK(mentions(fault_of("tools/a.h", "tests/support/golden.h"), "must not include"));
  CHECK(mentions(fault_of("bench/a.h", "tests/engine/a.h"), "must not include"));
}

TEST_CASE("layering: an include of a sibling of the same level is a fault") {
  CHECK(mentions(fault_of("nets/a.h", "data/a.h"), "must not include"));
  CHECK(mentions(fault_of("data/a.h", "optim/a.h"), "must not include"));
  CHECK(mentions(fault_of("tools/a.h", "bench/a.h"), "must not include"));
  CHECK(mentions(fault_of("bench/a.h", "tools/train/a.h"), "must not include"));
}

TEST_CASE("layering: the rooms of the engine include one another in one order") {
  CHECK(fault_of("engine/core/a.cpp", "engine/base/a.h").empty());
  CHECK(fault_of("engine/plan/a.cpp", "engine/device/a.h").empty());
  CHECK(fault_of("engine/checkpoint/a.cpp", "engine/plan/a.h").empty());
  CHECK(fault_of("data/a.cpp", "engine/base/a.h").empty());
  CHECK(mentions(fault_of("engine/base/a.h", "engine/core/a.h"), "must not include"));
  CHECK(mentions(fault_of("engine/base/a.h", "kernels/a.h"), "must not include"));
  CHECK(mentions(fault_of("engine/graph/a.h", "engine/passes/a.h"), "must not include"));
  CHECK(mentions(fault_of("engine/passes/a.h", "engine/device/a.h"), "must not include"));
  CHECK(mentions(fault_of("engine/device/a.h", "engine/plan/a.h"), "must not include"));
  CHECK(mentions(fault_of("engine/plan/a.h", "engine/checkpoint/a.h"), "must not include"));
  CHECK(include_faults({"engine/a.cpp", ""}, every_file_exists).size() == 1);
}

TEST_CASE("layering: an include that is not named from the root is a fault") {
  CHECK(mentions(fault_of("engine/core/a.cpp", "a.h"), "not named from the project's root"));
  CHECK(mentions(fault_of("engine/core/a.cpp", "../graph/a.h"), "not named from the project's root"));
  CHECK(mentions(fault_of("engine/core/a.cpp", "engine/core/../a.h"), "not named from the project's root"));
}

TEST_CASE("layering: spaces in an include line do not hide it") {
  const auto faults =
      include_faults({"kernels/a.cpp", "  #  include \"engine/core/a.h\"\n"}, every_file_exists);
  CHECK(faults.size() == 1);
}

TEST_CASE("layering: an include of a missing file is a fault") {
  const auto faults = include_faults({"engine/core/a.cpp", include("engine/core/b.h")}, no_file_exists);
  REQUIRE(faults.size() == 1);
  CHECK(mentions(faults[0], "does not exist"));
}

TEST_CASE("layering: an own file in angle brackets is a fault, a library's is not") {
  const std::string text = "#include <engine/core/a.h>\n#include <vector>\n";
  const auto exists = [](const std::string& path) { return path == "engine/core/a.h"; };
  const auto faults = include_faults({"engine/core/a.cpp", text}, exists);
  REQUIRE(faults.size() == 1);
  CHECK(mentions(faults[0], "write it in quotes"));
}

TEST_CASE("layering: a source file in no known folder is a fault") {
  CHECK(include_faults({"misc/a.cpp", ""}, every_file_exists).size() == 1);
}

TEST_CASE("layering: 400 lines of code pass, 401 do not, and pages may be longer") {
  CHECK(text_faults({"engine/core/a.cpp", lines(400)}).empty());
  REQUIRE(text_faults({"engine/core/a.cpp", lines(401)}).size() == 1);
  CHECK(mentions(text_faults({"engine/core/a.cpp", lines(401)})[0], "401 lines, at most 400"));
  CHECK(text_faults({"docs/a.md", lines(401)}).empty());
}

TEST_CASE("layering: a header without #pragma once is a fault") {
  CHECK(text_faults({"engine/core/a.h", "#pragma once\n"}).empty());
  CHECK(text_faults({"engine/core/a.h", "#ifndef A_H\n"}).size() == 1);
}

TEST_CASE("layering: notes of unfinished work are faults, words that contain them are not") {
  CHECK(text_faults({"engine/core/a.cpp", std::string("// TO") + "DO: later\n"}).size() == 1);
  CHECK(text_faults({"docs/a.md", std::string("FIX") + "ME\n"}).size() == 1);
  CHECK(text_faults({"engine/core/a.cpp", std::string("int kTO") + "DOs;\n"}).empty());
}

TEST_CASE("layering: absolute paths of a machine are faults, relative ones are not") {
  CHECK(text_faults({"docs/a.md", std::string("see /ho") + "me/someone/data\n"}).size() == 1);
  CHECK(text_faults({"scripts/a.sh", std::string("cd /wo") + "rk/main\n"}).size() == 1);
  CHECK(text_faults({"docs/a.md", std::string("see runs/wo") + "rk/data\n"}).empty());
}
