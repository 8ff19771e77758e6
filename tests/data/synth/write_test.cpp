#include "data/synth/write.h"

#include "data/datasets/class_names.h"
#include "data/datasets/image_reader.h"
#include "data/images/decode.h"
#include "data/records/example.h"
#include "data/records/record_set.h"
#include "data/synth/draw.h"
#include "engine/base/error.h"
#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"
#include "tests/support/run_command.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

TEST_CASE("synth: writes both splits and labels.txt, which the data set reads back picture by picture") {
  const TemporaryFolder folder;
  std::int64_t last_done = 0;
  const auto files =
      write_shapes({.output_dir = folder / "new/shapes", .train_samples = 30, .validation_samples = 20},
                   [&](std::int64_t done, std::int64_t total) {
                     CHECK(total == 50);
                     last_done = done;
                   });
  REQUIRE(files.size() == 2);
  CHECK(files[0].records == 30);
  CHECK(files[0].bytes == std::int64_t(std::filesystem::file_size(files[0].path)));
  CHECK(last_done == 50);
  CHECK(read_class_names(folder / "new/shapes/labels.txt").at(8) == "crescent");

  NoLog log;
  const Dataset dataset(
      {.dataset_name = "shapes", .dataset_dir = folder / "new/shapes", .split = Split::validation}, log);
  const RecordSet records(dataset.files(), {}, log);
  REQUIRE(records.size() == 20);
  for (const int i : {0, 7, 19}) {
    const Record record = records.read(i);
    const Example example(record.payload, record.origin);
    const ShapesSample expected = draw_shapes_sample(1, "validation", i);
    CHECK(example.integer("image/class/label") == expected.label);
    CHECK(std::ranges::equal(decode_image(example.bytes("image/encoded")).pixels(), expected.image.pixels()));
  }
}

TEST_CASE("synth: the same seed gives the same bytes, another seed others") {
  const TemporaryFolder folder;
  const auto bytes = [&](const char* name, std::uint64_t seed) {
    const auto files = write_shapes(
        {.output_dir = folder / name, .train_samples = 5, .validation_samples = 5, .seed = seed}, {});
    return file_bytes(files[0].path);
  };
  CHECK(bytes("a", 1) == bytes("b", 1));
  CHECK(bytes("a", 1) != bytes("c", 2));
}

TEST_CASE("synth: an empty split, an address and an unwritable folder are refused") {
  CHECK_THROWS_WITH(write_shapes({.output_dir = "x", .train_samples = 0}, {}),
                    Contains("got train_samples 0"));
  CHECK_THROWS_AS(write_shapes({.output_dir = "oss://bucket/x"}, {}), UsageError);
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "x";
  CHECK_THROWS_AS(write_shapes({.output_dir = folder / "file/sub"}, {}), EnvironmentError);
  CHECK_THROWS_WITH(write_shapes({.output_dir = folder / "file/sub"}, {}), Contains("cannot be made"));
}
