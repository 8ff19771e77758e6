#include <nlohmann/json.hpp>

#include "tests/support/golden.h"
#include "tests/tools/fastnn_data/support.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

/// Two files of three and one records, labels 0, 1, 1, 5 and heights 4, 9, 5, 6.
struct TwoFiles : TemporaryFolder {
  TwoFiles() {
    write_records(*this / "a.tfrecord", {payload(0, 4), payload(1, 9), payload(1, 5)});
    write_records(*this / "b.tfrecord", {payload(5, 6)});
    write_content(*this / "labels.txt", "0:cat\n1:dog\n");
  }
};

}  // namespace

TEST_CASE("fastnn-data inspect: text tells counts, features, labels with names, formats and sizes") {
  const TwoFiles folder;
  const CommandResult result = fastnn_data("inspect --files=" + folder.path().string());
  CHECK(result.exit_code == 0);
  const auto bytes =
      std::filesystem::file_size(folder / "a.tfrecord") + std::filesystem::file_size(folder / "b.tfrecord");
  CHECK_THAT(result.output, Contains("2 files, 4 records, " + std::to_string(bytes) + " bytes") &&
                                Contains("labels: 3 different") && Contains("2  dog\n") &&
                                Contains("1  cat\n") && Contains("     5        1\n") &&
                                Contains("png          4") && Contains("height       4 / 5 / 9") &&
                                Contains("width        6 / 6 / 6"));
}

TEST_CASE("fastnn-data inspect: JSON holds the same figures, whatever the number of threads") {
  const TwoFiles folder;
  const std::string file = (folder / "out/i.json").string();
  std::filesystem::create_directory(folder / "out");
  const std::string command = "inspect --files=" + (folder / "*.tfrecord").string() + " --json=" + file;
  REQUIRE(fastnn_data(command + " --threads=1").exit_code == 0);
  const std::string text = file_content(file);
  REQUIRE(fastnn_data(command + " --threads=4").exit_code == 0);
  CHECK(file_content(file) == text);
  const auto json = nlohmann::json::parse(text);
  CHECK(json["files"] == 2);
  CHECK(json["records"] == 4);
  CHECK(json["bad_records"] == 0);
  CHECK(json["features"]["image/encoded"]["kinds"] == "bytes");
  CHECK(json["features"]["image/encoded"]["example_bytes"] == png_bytes(4, 6).size());
  CHECK(json["features"]["image/height"]["kinds"] == "int64");
  CHECK(json["features"]["image/height"]["records"] == 4);
  CHECK(json["labels"][1] == nlohmann::json{{"label", 1}, {"records", 2}, {"name", "dog"}});
  CHECK(json["labels"][2] == nlohmann::json{{"label", 5}, {"records", 1}});
  CHECK(json["formats"] == nlohmann::json{{"png", 4}});
  CHECK(json["heights"] == nlohmann::json{{"min", 4}, {"median", 5}, {"max", 9}});
}

TEST_CASE("fastnn-data inspect: damaged records and files are counted, none at all is an error") {
  const TwoFiles folder;
  std::string content = file_content(folder / "a.tfrecord");
  content[40] = char(content[40] ^ 1);
  write_content(folder / "a.tfrecord", content);
  write_content(folder / "b.tfrecord", "junk");
  const CommandResult result = fastnn_data("inspect --files=" + folder.path().string());
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("1 records cannot be read and 1 files are damaged") &&
                                Contains("b.tfrecord (4 bytes)"));
  check_fails("inspect --files=" + (folder / "b.tfrecord").string(), 3, "no records in 1 files");
  write_content(folder / "b.tfrecord", "");
  check_fails("inspect --files=" + (folder / "b.tfrecord").string(), 3, "no records in 1 files");
}

TEST_CASE("fastnn-data inspect: an image of no known format is counted as such") {
  const TwoFiles folder;
  write_records(folder / "b.tfrecord", {payload(5, 6, "no image")});
  CHECK_THAT(fastnn_data("inspect --files=" + folder.path().string()).output, Contains("unknown      1"));
}

TEST_CASE("fastnn-data inspect: real files of other schemas") {
  if (data_dir().empty()) {
    WARN("skipped: the folder of real data files (FASTNN_DATA_DIR) is absent");
    return;
  }
  const CommandResult pets = fastnn_data("inspect --files=" + (data_dir() / "tfrecords/pets").string());
  CHECK(pets.exit_code == 0);
  CHECK_THAT(pets.output, Contains("1 files, 10 records") && Contains("image/object/bbox/xmin") &&
                              Contains("float") && Contains("jpeg         10"));
  const CommandResult numbers =
      fastnn_data("inspect --files=" + (data_dir() / "tfrecords/jupyterlab_tfrecord_viewer").string());
  CHECK(numbers.exit_code == 0);
  CHECK_THAT(numbers.output, Contains("17 records") && !Contains("image formats"));
}
