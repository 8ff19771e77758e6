#include "data/convert/cifar10.h"

#include "data/datasets/class_names.h"
#include "data/images/decode.h"
#include "data/records/example.h"
#include "data/records/record_file.h"
#include "engine/base/error.h"
#include "tests/data/convert/image_files.h"
#include "tests/data/records/files.h"
#include "tests/support/catch.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

/// One record: red, green and blue values are 10, 20 and 30 everywhere but in the last pixel.
std::string binary_record(int label) {
  std::string record(1, char(label));
  for (const char value : {10, 20, 30}) record += std::string(1023, value) + char(value + label);
  return record;
}

/// Five batches of two records, labels 0 .. 9 in order, and a test batch of one.
struct SmallCifar : TemporaryFolder {
  SmallCifar() {
    for (int i = 0; i < 5; ++i)
      write_content(*this / ("data_batch_" + std::to_string(i + 1) + ".bin"),
                    binary_record(2 * i) + binary_record(2 * i + 1));
    write_content(*this / "test_batch.bin", binary_record(9));
  }
  std::vector<WrittenFile> convert() const {
    NoLog log;
    return convert_dataset("cifar10", {.input_dir = path(), .output_dir = *this / "out"}, {}, log);
  }
};

}  // namespace

TEST_CASE("cifar10: the binary version becomes PNG records in TF-Slim's layout, in its order") {
  const SmallCifar cifar;
  const auto files = cifar.convert();
  REQUIRE(files.size() == 2);
  CHECK(files[0].path.filename() == "cifar10_train.tfrecord");
  CHECK(files[1].path.filename() == "cifar10_test.tfrecord");
  CHECK(files[1].records == 1);
  const RecordFile train(files[0].path);
  REQUIRE(train.size() == 10);
  for (int label = 0; label < 10; ++label) {
    const Record record = train.read(label);
    const Example example(record.payload, record.origin);
    CHECK(example.integer("image/class/label") == label);
    CHECK(example.integer("image/height") == 32);
    CHECK(example.integer("image/width") == 32);
    CHECK(text_of(example.bytes("image/format")) == "png");
    const Image image = decode_image(example.bytes("image/encoded"));
    CHECK(std::vector<int>(image.pixels().begin(), image.pixels().begin() + 3) == std::vector{10, 20, 30});
    CHECK(image.pixels()[3 * 1023 + 1] == 20 + label);
  }
  CHECK(read_class_names(cifar / "out/labels.txt").at(9) == "truck");
}

TEST_CASE("cifar10: a damaged or missing batch is named") {
  const SmallCifar cifar;
  const auto fails_with = [&](const std::string& text) {
    CHECK_THROWS_AS(cifar.convert(), InputError);
    CHECK_THROWS_WITH(cifar.convert(), Contains(text));
    CHECK_FALSE(std::filesystem::exists(cifar / "out/labels.txt"));
  };
  write_content(cifar / "data_batch_4.bin", binary_record(1) + binary_record(10));
  fails_with("data_batch_4.bin, record 1, byte 3073: expected a label of 0 to 9, got 10");
  write_content(cifar / "data_batch_4.bin", binary_record(1) + "x");
  fails_with("data_batch_4.bin must be of records of 3073 bytes, but has 3074 bytes");
  write_content(cifar / "data_batch_4.bin", "");
  fails_with("but has 0 bytes");
  std::filesystem::remove(cifar / "data_batch_4.bin");
  fails_with("data_batch_4.bin is not in");
}

TEST_CASE("cifar10: folders of image files are encoded as PNG, another size is named") {
  const TemporaryFolder folder;
  write_png(folder / "in/train/cat/0.png", 32, 32);
  write_png(folder / "in/train/truck/0.png", 32, 32);
  write_png(folder / "in/test/truck/0.png", 32, 32);
  NoLog log;
  const ConvertOptions options{.input_dir = folder / "in", .output_dir = folder / "out"};
  const auto files = convert_dataset("cifar10", options, {}, log);
  CHECK(files[0].records == 2);
  const RecordFile test(files[1].path);
  const Record record = test.read(0);
  CHECK(Example(record.payload, record.origin).integer("image/class/label") == 9);
  write_png(folder / "in/test/truck/1.png", 31, 32);
  CHECK_THROWS_AS(convert_dataset("cifar10", options, {}, log), InputError);
  CHECK_THROWS_WITH(convert_dataset("cifar10", options, {}, log),
                    Contains("truck/1.png: expected 32 x 32 pixels, got 31 x 32"));
}
