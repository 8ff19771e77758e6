#include "data/datasets/class_names.h"

#include <fstream>

#include "engine/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/run_command.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

std::vector<std::string> names_of(const std::string& text) {
  const TemporaryFolder folder;
  std::ofstream(folder / "labels.txt", std::ios::binary) << text;
  return read_class_names(folder / "labels.txt");
}

}  // namespace

TEST_CASE("class names: CR, blank lines, gaps, colons and a missing final newline are taken") {
  CHECK(names_of("0:zero\r\n\r\n3:a:b \n1:Blume 花") ==
        std::vector<std::string>{"zero", "Blume 花", "", "a:b"});
}

TEST_CASE("class names: a bad line is named by file and number") {
  for (const char* line : {"rose", ":rose", "x:rose", "1x:rose", "-1:rose", "1000000:rose"}) {
    CAPTURE(line);
    const std::string text = std::string("0:daisy\n") + line + "\n";
    CHECK_THROWS_AS(names_of(text), InputError);
    CHECK_THROWS_WITH(names_of(text),
                      Contains("labels.txt, line 2: expected \"label:name\"") && Contains(line));
  }
  CHECK_THROWS_WITH(names_of("1:a\n1:b\n"), Contains("line 2: label 1 is named a second time"));
  CHECK_THROWS_WITH(names_of("\n\n"), Contains("names no class"));
}

TEST_CASE("class names: a file that cannot be opened or written is an error of the environment") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(read_class_names(folder / "none.txt"), EnvironmentError);
  CHECK_THROWS_WITH(read_class_names(folder / "none.txt"),
                    Contains("cannot open") && Contains("No such file"));
  CHECK_THROWS_AS(write_class_names(folder / "none/labels.txt", {}), EnvironmentError);
  std::filesystem::create_directory(folder / "labels.txt");
  const std::string_view names[] = {"a"};
  CHECK_THROWS_WITH(write_class_names(folder / "labels.txt", names),
                    Contains("cannot rename") && Contains("labels.txt"));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("class names: what is written is read back") {
  const TemporaryFolder folder;
  const std::string_view names[] = {"circle", "square"};
  write_class_names(folder / "labels.txt", names);
  CHECK(read_class_names(folder / "labels.txt") == std::vector<std::string>{"circle", "square"});
}
