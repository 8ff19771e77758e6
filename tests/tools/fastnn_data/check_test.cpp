#include <nlohmann/json.hpp>

#include "data/records/example_writer.h"
#include "data/records/record_file.h"
#include "tests/support/golden.h"
#include "tests/tools/fastnn_data/support.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

/// Three good records of labels 0 .. 2 in a.tfrecord, with labels.txt of three names.
struct GoodFolder : TemporaryFolder {
  GoodFolder() {
    write_records(*this / "a.tfrecord", {payload(0, 4), payload(1, 5), payload(2, 6)});
    write_content(*this / "labels.txt", "0:cat\n1:dog\n2:eel\n");
  }

  CommandResult check(const std::string& flags = {}) const {
    return fastnn_data("check --files=" + path().string() + " " + flags);
  }
  std::string file() const { return (*this / "a.tfrecord").string(); }
  /// Of a record that starts there.
  std::int64_t byte_of(int record) const { return RecordFile(file()).reference(record).offset; }
};

}  // namespace

TEST_CASE("fastnn-data check: good files end with code 0 and the counts") {
  const GoodFolder folder;
  const CommandResult result = folder.check();
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("checked 1 files, 3 records: no fault"));
}

TEST_CASE("fastnn-data check: a flipped bit, a bad label, a missing feature and a bad image are each named") {
  const GoodFolder folder;
  write_records(folder / "a.tfrecord",
                {payload(0, 4), payload(1, 5), payload(3, 6), payload(-1, 6), payload(0, 6, "no image"),
                 serialize_example({{"image/encoded", bytes_feature("x")}}), "no example"});
  std::string content = file_content(folder.file());
  const auto second = std::size_t(folder.byte_of(1));
  content[second + 40] = char(content[second + 40] ^ 4);
  write_content(folder.file(), content);
  const CommandResult checked = fastnn_data("check --files=" + folder.file() +
                                            " --threads=2 --json=" + (folder / "check.json").string());
  CHECK(checked.exit_code == 3);
  const auto place = [&](int record) {
    return folder.file() + ", record " + std::to_string(record) + ", byte " +
           std::to_string(folder.byte_of(record)) + ": ";
  };
  CHECK_THAT(checked.output, Contains(place(1) + "[tfrecord] payload checksum mismatch") &&
                                 Contains(place(2) + "expected a label of 0 to 2, got 3") &&
                                 Contains(place(3) + "expected a label of 0 to 2, got -1") &&
                                 Contains(place(4) + "[images]") &&
                                 Contains(place(5) + "[example] expected feature \"image/class/label\"") &&
                                 Contains(place(6)) && !Contains(place(0)) &&
                                 Contains("checked 1 files, 7 records: 6 faults in 1 files"));
  const auto json = nlohmann::json::parse(file_content(folder / "check.json"));
  CHECK(json["records"] == 7);
  REQUIRE(json["faults"].size() == 6);
  CHECK(json["faults"][0]["record"] == 1);
  CHECK(json["faults"][1]["byte"] == folder.byte_of(2));
  CHECK(json["faults"][1]["reason"] == "expected a label of 0 to 2, got 3");
}

TEST_CASE("fastnn-data check: damaged framing is one fault, the records before it are checked") {
  const GoodFolder folder;
  const std::string content = file_content(folder.file());
  const std::string last = std::to_string(folder.byte_of(2));
  write_content(folder.file(), content.substr(0, content.size() - 1));
  CommandResult result = folder.check();
  CHECK(result.exit_code == 3);
  CHECK_THAT(result.output, Contains("record 2, byte " + last + ": [tfrecord] truncated record"));
  CHECK_THAT(result.output, Contains("checked 1 files, 2 records: 1 faults in 1 files"));
  write_content(folder.file(), "junk");
  result = folder.check();
  CHECK(result.exit_code == 3);
  CHECK_THAT(result.output, Contains("a.tfrecord, record 0, byte 0: [tfrecord] expected TFRecords"));
}

TEST_CASE("fastnn-data check: --num_classes wins over labels.txt, without both a label is 0 or more") {
  const GoodFolder folder;
  CHECK(folder.check("--num_classes=2").exit_code == 3);
  CHECK(folder.check("--num_classes=3").exit_code == 0);
  std::filesystem::remove(folder / "labels.txt");
  CHECK(folder.check().exit_code == 0);
  write_records(folder / "a.tfrecord", {payload(-1, 4)});
  const CommandResult result = folder.check();
  CHECK(result.exit_code == 3);
  CHECK_THAT(result.output, Contains("expected a label of 0 or more, got -1"));
}

TEST_CASE("fastnn-data check: extents that are not the image's are a fault") {
  const GoodFolder folder;
  write_records(folder / "a.tfrecord", {payload(0, 4, png_bytes(5, 6))});
  const CommandResult result = folder.check();
  CHECK(result.exit_code == 3);
  CHECK_THAT(result.output, Contains("image/height is 4, but the image has 5"));
}

TEST_CASE("fastnn-data check: compressed files are read, and nothing is left beside them") {
  const GoodFolder folder;
  REQUIRE(run_command("gzip -n " + folder.file()).exit_code == 0);
  const CommandResult result = folder.check();
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("3 records: no fault"));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 2);
}

TEST_CASE("fastnn-data check: files that are not there, wrong flags and a bad labels.txt have their codes") {
  const GoodFolder folder;
  check_fails("check --files=" + (folder / "no*").string(), 3, "no file matches");
  check_fails("check --files=" + folder.file() + " --threads=x", 2, "--threads must be an integer");
  check_fails("check --files=" + folder.file() + " --threads=2000000", 2, "--threads must be at most");
  check_fails("check --files=" + folder.file() + " --json=" + (folder / "no/such/file").string(), 4,
              "no/such/file");
  write_content(folder / "labels.txt", "cat\n");
  check_fails("check --files=" + folder.file(), 3, "expected \"label:name\"");
}

TEST_CASE("fastnn-data check: real files") {
  if (data_dir().empty()) {
    WARN("skipped: the folder of real data files (FASTNN_DATA_DIR) is absent");
    return;
  }
  const std::string flowers = (data_dir() / "flowers/flowers_validation_*").string();
  CommandResult result = fastnn_data("check --files='" + flowers + "'");
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("checked 1 files, 70 records: no fault"));
  result = fastnn_data("check --files=" + (data_dir() / "tfrecords/pets").string());
  CHECK(result.exit_code == 3);
  CHECK_THAT(result.output, Contains("10 records: 10 faults in 1 files"));
}
