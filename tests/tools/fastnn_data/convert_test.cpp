#include "data/records/record_file.h"
#include "tests/support/golden.h"
#include "tests/tools/fastnn_data/support.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

/// Class folders of two classes with three images each.
struct Pets : TemporaryFolder {
  Pets() {
    for (const char* name : {"cat", "dog"})
      for (int i = 0; i < 3; ++i)
        write_content(*this / "in" / name / (std::to_string(i) + ".png"), png_bytes(4 + i, 6));
  }
  std::string arguments(const std::string& flags) const {
    return "convert --dataset_name=pets --input_dir=" + (*this / "in").string() +
           " --output_dir=" + (*this / "out").string() + " " + flags;
  }
};

}  // namespace

TEST_CASE("fastnn-data convert: class folders become shards that check finds no fault in") {
  const Pets pets;
  CommandResult result = fastnn_data(pets.arguments("--shards=2 --validation_samples=2 --seed=3"));
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("pets_train_00000-of-00002.tfrecord: 2 records") &&
                                Contains("pets_validation_00001-of-00002.tfrecord: 1 records") &&
                                Contains("wrote 4 files and labels.txt: 6 records"));
  result = fastnn_data("check --files=" + (pets / "out").string());
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("checked 4 files, 6 records: no fault"));
  result = fastnn_data(pets.arguments("--shards=2 --validation_samples=2 --seed=3"));
  CHECK_THAT(result.output,
             Contains("pets_train_00000-of-00002.tfrecord is complete (2 records); it is kept"));
}

TEST_CASE("fastnn-data convert: a bad image ends with code 3, or is skipped") {
  const Pets pets;
  write_content(pets / "in/cat/bad.jpg", "no image");
  check_fails(pets.arguments(""), 3, "in/cat/bad.jpg cannot be decoded");
  const CommandResult result = fastnn_data(pets.arguments("--skip_bad=true"));
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("warning: ") && Contains("in/cat/bad.jpg") && Contains(": 6 records"));
  check_fails(pets.arguments("--skip_bad=yes"), 2, "--skip_bad must be true or false, got \"yes\"");
  check_fails(pets.arguments("--shards=0"), 2, "shards must be 1 to 99999");
  check_fails(pets.arguments("--validation_samples=99"), 2, "must leave images to train on");
}

TEST_CASE("fastnn-data convert: the real flowers") {
  if (data_dir().empty()) {
    WARN("skipped: the folder of real data files (FASTNN_DATA_DIR) is absent");
    return;
  }
  const TemporaryFolder folder;
  REQUIRE(run_command("tar xf " + (data_dir() / "flowers/flowers-jpg.tar").string() + " -C " +
                      folder.path().string())
              .exit_code == 0);
  const CommandResult result =
      fastnn_data("convert --dataset_name=flowers --shards=3 --input_dir=" + folder.path().string() +
                  " --output_dir=" + (folder / "out").string());
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("wrote 6 files and labels.txt: 300 records"));
  CHECK(RecordFile(folder / "out/flowers_train_00002-of-00003.tfrecord").size() == 80);
  CHECK_THAT(fastnn_data("check --files=" + (folder / "out").string()).output,
             Contains("checked 6 files, 300 records: no fault"));
}

TEST_CASE("fastnn-data convert: the real CIFAR-10", "[.slow]") {
  if (data_dir().empty()) {
    WARN("skipped: the folder of real data files (FASTNN_DATA_DIR) is absent");
    return;
  }
  const TemporaryFolder folder;
  REQUIRE(run_command("tar xf " + (data_dir() / "cifar10/cifar10-jpg.tar.xz").string() + " -C " +
                      folder.path().string())
              .exit_code == 0);
  const CommandResult result =
      fastnn_data("convert --dataset_name=cifar10 --input_dir=" + folder.path().string() +
                  " --output_dir=" + (folder / "out").string());
  CHECK(result.exit_code == 0);
  CHECK(RecordFile(folder / "out/cifar10_train.tfrecord").size() == 50'000);
  CHECK(RecordFile(folder / "out/cifar10_test.tfrecord").size() == 10'000);
}
