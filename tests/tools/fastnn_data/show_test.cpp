#include <set>

#include "data/images/decode.h"
#include "tests/tools/fastnn_data/support.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

struct ThreeImages : TemporaryFolder {
  ThreeImages() {
    write_records(*this / "a.tfrecord",
                  {payload(0, 6, png_bytes(6, 6, 50)), payload(1, 6, png_bytes(6, 6, 100)),
                   payload(2, 6, png_bytes(6, 6, 150))});
    write_content(*this / "labels.txt", "0:cat\n1:dog\n2:eel\n");
  }

  CommandResult show(const std::string& output, const std::string& flags) const {
    return fastnn_data("show --files=" + (*this / "a.tfrecord").string() +
                       " --output=" + (*this / output).string() + " " + flags);
  }
  Image sheet(const std::string& output, const std::string& flags) const {
    REQUIRE(show(output, flags).exit_code == 0);
    const std::string content = file_content(*this / output);
    return decode_image(std::as_bytes(std::span(content)));
  }
};

/// The grey values in the middles of the cells of a sheet of two columns.
std::multiset<int> shades(const Image& sheet, int cells) {
  std::multiset<int> values;
  for (int i = 0; i < cells; ++i)
    values.insert(sheet.row(4 + i / 2 * 114 + 48)[std::size_t(4 + i % 2 * 100 + 48) * 3]);
  return values;
}

}  // namespace

TEST_CASE("fastnn-data show: the sheet holds each image once, in cells, with captions below") {
  const ThreeImages folder;
  const Image sheet = folder.sheet("a.png", "");
  CHECK(sheet.height() == 2 * 114 + 4);
  CHECK(sheet.width() == 2 * 100 + 4);
  CHECK(shades(sheet, 4) == std::multiset<int>{0, 50, 100, 150});
  int white = 0;
  for (int y = 4 + 96; y < 4 + 96 + 14; ++y)
    for (const std::uint8_t value : sheet.row(y)) white += value == 255;
  CHECK(white > 100);
}

TEST_CASE("fastnn-data show: the same seed gives the same bytes, another one another order") {
  const ThreeImages folder;
  folder.sheet("a.png", "--seed=1");
  folder.sheet("b.png", "--seed=1");
  CHECK(file_content(folder / "a.png") == file_content(folder / "b.png"));
  bool differs = false;
  for (const char* seed : {"2", "3", "4", "5"}) {
    folder.sheet("b.png", std::string("--seed=") + seed);
    differs = differs || file_content(folder / "a.png") != file_content(folder / "b.png");
  }
  CHECK(differs);
}

TEST_CASE("fastnn-data show: --count draws so many") {
  const ThreeImages folder;
  CHECK(folder.sheet("a.png", "--count=1").width() == 104);
  CHECK(folder.show("a.png", "--count=0").exit_code == 2);
  CHECK_THAT(folder.show("a.png", "--count=10001").output, Contains("count must be 1 to 10000, got 10001"));
}

TEST_CASE("fastnn-data show: an image that cannot be read is a grey field, named by a warning") {
  const ThreeImages folder;
  write_records(folder / "a.tfrecord", {payload(0, 6, "no image"), payload(0, 6, png_bytes(6, 6, 50))});
  const CommandResult result = folder.show("a.png", "");
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("warning: ") && Contains("a.tfrecord, record 0, byte 0: [images]"));
  const std::string content = file_content(folder / "a.png");
  CHECK(shades(decode_image(std::as_bytes(std::span(content))), 2) == std::multiset<int>{50, 96});
}

TEST_CASE("fastnn-data show: no records and an output that cannot be written have their codes") {
  const ThreeImages folder;
  CHECK(folder.show("no/such/a.png", "").exit_code == 4);
  write_content(folder / "a.tfrecord", "");
  const CommandResult result = folder.show("a.png", "");
  CHECK(result.exit_code == 3);
  CHECK_THAT(result.output, Contains("[show] no records in 1 files"));
}
