#include <fstream>

#include "data/images/decode.h"
#include "data/records/example.h"
#include "data/records/record_file.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/tools/fastnn_data/support.h"
#include "version.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

/// Number of records, and the labels of the first eight.
struct FileSummary {
  std::int64_t records = 0;
  std::vector<std::int64_t> first_labels;
};

FileSummary summary_of(const std::filesystem::path& path) {
  const RecordFile file(path);
  FileSummary summary{.records = file.size(), .first_labels = {}};
  for (int i = 0; i < 8; ++i) {
    const Record record = file.read(i);
    const Example example(record.payload, record.origin);
    const Image image = decode_image(example.bytes("image/encoded"));
    CHECK((image.height() == 28 && image.width() == 28));
    summary.first_labels.push_back(example.integer("image/class/label"));
  }
  return summary;
}

}  // namespace

TEST_CASE("fastnn-data: --help lists every subcommand, SUBCOMMAND --help every flag with its default") {
  const CommandResult help = fastnn_data("--help");
  CHECK(help.exit_code == 0);
  CHECK_THAT(help.output, Contains("convert") && Contains("inspect") && Contains("check") &&
                              Contains("show") && Contains("synth") && Contains("usage: fastnn-data"));
  const CommandResult synth = fastnn_data("synth --help");
  CHECK(synth.exit_code == 0);
  CHECK_THAT(synth.output, Contains("--output_dir") && Contains("--train_samples") &&
                               Contains("(default 10000)") && Contains("--validation_samples") &&
                               Contains("--seed"));
  CHECK_THAT(fastnn_data("convert --help").output,
             Contains("--dataset_name") && Contains("--input_dir") && Contains("--output_dir"));
}

TEST_CASE("fastnn-data: --version names program and version") {
  const CommandResult version = fastnn_data("--version");
  CHECK(version.exit_code == 0);
  CHECK_THAT(version.output, Contains(std::string("fastnn-data ") + kVersion));
}

TEST_CASE("fastnn-data: an unknown subcommand or flag fails with the nearest known name") {
  check_fails("", 2, "a subcommand is missing");
  check_fails("sinth", 2, "did you mean synth? There is no subcommand \"sinth\"");
  check_fails("synth --ouput_dir=x", 2, "did you mean output_dir? There is no flag \"ouput_dir\"");
  check_fails("synth output", 2, "a flag --name=value is expected, got \"output\"");
  check_fails("synth", 2, "--output_dir is missing");
  check_fails("synth --output_dir", 2, "--output_dir needs a value");
  check_fails("synth --output_dir=", 2, "--output_dir needs a value");
  check_fails("synth --output_dir=a --output_dir=b", 2, "--output_dir is given twice");
  check_fails("synth --output_dir=a --seed=-1", 2, "--seed must be an integer of 0 or more, got \"-1\"");
  check_fails("synth --output_dir=a --train_samples=1k", 2, "--train_samples must be an integer");
  check_fails("synth --output_dir=a --train_samples=0", 2, "each split needs a sample");
}

TEST_CASE("fastnn-data: synth writes what it says it wrote") {
  const TemporaryFolder folder;
  const CommandResult result = fastnn_data("synth --output_dir '" + (folder / "my shapes").string() +
                                           "' --train_samples=20 --validation_samples 10");
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("shapes_train.tfrecord: 20 records") &&
                                Contains("shapes_validation.tfrecord: 10 records") &&
                                Contains("wrote 2 files and labels.txt: 30 records"));
  CHECK(RecordFile(folder / "my shapes/shapes_train.tfrecord").size() == 20);
}

TEST_CASE("fastnn-data: bad input ends with code 3, an unwritable folder with 4") {
  const TemporaryFolder folder;
  check_fails("convert --dataset_name=mnist --input_dir=" + folder.path().string() + " --output_dir=x", 3,
              "neither train-images-idx3-ubyte nor train-images-idx3-ubyte.gz is in");
  check_fails("convert --dataset_name=mnits --input_dir=. --output_dir=x", 2, "known: cifar10, mnist");
  std::ofstream(folder / "file") << "x";
  check_fails("synth --output_dir=" + (folder / "file/sub").string(), 4, "cannot be made");
}

TEST_CASE("fastnn-data: converts the real MNIST") {
  if (data_dir().empty()) {
    WARN("skipped: the folder of real data files (FASTNN_DATA_DIR) is absent");
    return;
  }
  const TemporaryFolder folder;
  const CommandResult result =
      fastnn_data("convert --dataset_name=mnist --input_dir=" + (data_dir() / "mnist").string() +
                  " --output_dir=" + folder.path().string());
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("mnist_train.tfrecord: 60000 records"));
  const FileSummary train = summary_of(folder / "mnist_train.tfrecord");
  CHECK(train.records == 60000);
  CHECK(train.first_labels == std::vector<std::int64_t>{5, 0, 4, 1, 9, 2, 1, 3});
  const FileSummary test = summary_of(folder / "mnist_test.tfrecord");
  CHECK(test.records == 10000);
  CHECK(test.first_labels == std::vector<std::int64_t>{7, 2, 1, 0, 4, 1, 4, 9});
}
