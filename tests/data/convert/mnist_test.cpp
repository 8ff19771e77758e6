#include "data/convert/mnist.h"

#include <zlib.h>

#include "data/datasets/class_names.h"
#include "data/datasets/dataset_table.h"
#include "data/images/decode.h"
#include "data/records/example.h"
#include "data/records/record_file.h"
#include "engine/base/error.h"
#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"
#include "tests/support/run_command.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

std::string header(std::uint32_t magic, std::initializer_list<std::uint32_t> extents) {
  std::string bytes;
  const auto append = [&](std::uint32_t value) {
    for (const int shift : {24, 16, 8, 0}) bytes += char(value >> shift & 255);
  };
  append(magic);
  for (const std::uint32_t extent : extents) append(extent);
  return bytes;
}

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void write_gz(const std::filesystem::path& path, const std::string& bytes) {
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), unsigned(bytes.size()));
  gzclose(file);
}

std::string images_file(int count, int height, int width) {
  std::string bytes = header(0x803, {std::uint32_t(count), std::uint32_t(height), std::uint32_t(width)});
  for (int i = 0; i < count * height * width; ++i) bytes += char(i * 7);
  return bytes;
}

std::string labels_file(const std::string& labels) {
  return header(0x801, {std::uint32_t(labels.size())}) + labels;
}

/// A folder with a small MNIST: 4 + 2 digits of 3 x 2 pixels.
class SmallMnist : public TemporaryFolder {
 public:
  SmallMnist() {
    write_file(*this / "train-images-idx3-ubyte", images_file(4, 3, 2));
    write_gz(*this / "train-labels-idx1-ubyte.gz", labels_file({0, 9, 6, 1}));
    write_gz(*this / "t10k-images-idx3-ubyte.gz", images_file(2, 3, 2));
    write_file(*this / "t10k-labels-idx1-ubyte", labels_file({5, 5}));
  }

  std::vector<WrittenFile> convert() const {
    NoLog log;
    return convert_dataset("mnist", {.input_dir = path(), .output_dir = *this / "out"}, {}, log);
  }
};

bool anything_written(const SmallMnist& mnist) {
  return std::filesystem::exists(mnist / "out") && !std::filesystem::is_empty(mnist / "out");
}

}  // namespace

TEST_CASE("mnist: plain and gzip-compressed files become records in TF-Slim's layout") {
  const SmallMnist mnist;
  const auto files = mnist.convert();
  REQUIRE(files.size() == 2);
  CHECK(files[0].path.filename() == "mnist_train.tfrecord");
  CHECK(files[0].records == 4);
  CHECK(files[1].path.filename() == "mnist_test.tfrecord");
  CHECK(files[1].records == 2);

  const RecordFile train(files[0].path);
  const Record record = train.read(2);
  const Example example(record.payload, record.origin);
  CHECK(example.keys() == std::vector<std::string_view>{"image/class/label", "image/encoded", "image/format",
                                                        "image/height", "image/width"});
  CHECK(example.integer("image/class/label") == 6);
  CHECK(example.integer("image/height") == 3);
  CHECK(example.integer("image/width") == 2);
  const auto format = example.bytes("image/format");
  CHECK(std::string(reinterpret_cast<const char*>(format.data()), format.size()) == "png");
  const Image image = decode_image(example.bytes("image/encoded"));
  REQUIRE((image.height() == 3 && image.width() == 2));
  for (int i = 0; i < 6; ++i) CHECK(image.pixels()[3 * i] == std::uint8_t((12 + i) * 7));
}

TEST_CASE("mnist: label 6 is named six") {
  const SmallMnist mnist;
  mnist.convert();
  const auto names = read_class_names(mnist / "out/labels.txt");
  CHECK(names.size() == 10);
  CHECK(names.at(6) == "six");
  CHECK(std::filesystem::file_size(mnist / "out/labels.txt") == 70);
}

TEST_CASE("mnist: a second run replaces the files by the same bytes") {
  const SmallMnist mnist;
  const auto first = file_bytes(mnist.convert()[0].path);
  write_file(mnist / "out/mnist_train.tfrecord", "half a file");
  CHECK(file_bytes(mnist.convert()[0].path) == first);
}

TEST_CASE("mnist: a missing file says what was looked for and what is there") {
  const SmallMnist mnist;
  std::filesystem::remove(mnist / "t10k-labels-idx1-ubyte");
  CHECK_THROWS_AS(mnist.convert(), InputError);
  CHECK_THROWS_WITH(mnist.convert(),
                    Contains("neither t10k-labels-idx1-ubyte nor t10k-labels-idx1-ubyte.gz") &&
                        Contains("which holds t10k-images-idx3-ubyte.gz, train-"));
  CHECK_FALSE(anything_written(mnist));
}

TEST_CASE("mnist: damaged input names its file and leaves no record file behind") {
  const SmallMnist mnist;
  std::filesystem::remove(mnist / "train-labels-idx1-ubyte.gz");
  const std::string images = images_file(4, 3, 2);
  const auto fails_with = [&](const char* file, const std::string& bytes, const std::string& text) {
    CAPTURE(file, text);
    write_file(mnist / "train-images-idx3-ubyte", images);
    write_file(mnist / "train-labels-idx1-ubyte", labels_file({0, 9, 6, 1}));
    write_file(mnist / file, bytes);
    CHECK_THROWS_AS(mnist.convert(), InputError);
    CHECK_THROWS_WITH(mnist.convert(), Contains(text) && Contains(file));
    CHECK_FALSE(anything_written(mnist));
  };
  fails_with("train-images-idx3-ubyte", images.substr(0, images.size() - 1),
             "but it ends after 3 whole ones");
  fails_with("train-images-idx3-ubyte", images + "x", "holds more bytes than the 4 items");
  fails_with("train-images-idx3-ubyte", images.substr(0, 10), "ends in its header");
  fails_with("train-images-idx3-ubyte", "", "expected magic 00000803, got 00000000");
  fails_with("train-images-idx3-ubyte", labels_file("\1\2\3\4"), "expected magic 00000803, got 00000801");
  fails_with("train-images-idx3-ubyte", header(0x803, {4, 1U << 20, 1U << 20}), "is not believable");
  fails_with("train-images-idx3-ubyte", images_file(5, 3, 2), "as many labels as images");
  fails_with("train-labels-idx1-ubyte", labels_file("\1\12\5\1"),
             "item 1: expected a label of 0 to 9, got 10");
}

TEST_CASE("mnist: a gzip file cut short or damaged is an error") {
  const SmallMnist mnist;
  std::string labels(5000, '\0');
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = char(i * i / 7 % 10);
  write_file(mnist / "train-images-idx3-ubyte", images_file(5000, 3, 2));
  const auto path = mnist / "train-labels-idx1-ubyte.gz";
  write_gz(path, labels_file(labels));
  std::string whole;
  for (const std::byte byte : file_bytes(path)) whole += char(byte);

  write_file(path, whole.substr(0, whole.size() / 2));
  CHECK_THROWS_AS(mnist.convert(), InputError);
  CHECK_THROWS_WITH(mnist.convert(), Contains("is cut short") && Contains("train-labels-idx1-ubyte.gz"));

  whole[whole.size() - 6] = char(whole[whole.size() - 6] ^ 1);
  write_file(path, whole);
  CHECK_THROWS_AS(mnist.convert(), InputError);
  CHECK_THROWS_WITH(mnist.convert(),
                    Contains("cannot be decompressed") && Contains("train-labels-idx1-ubyte.gz"));
  CHECK_FALSE(anything_written(mnist));
}

TEST_CASE("convert: an unknown data set lists the known ones, an address says what copy to make") {
  NoLog log;
  CHECK_THROWS_AS(convert_dataset("mnits", {}, {}, log), UsageError);
  CHECK_THROWS_WITH(convert_dataset("mnits", {}, {}, log),
                    Contains("did you mean mnist? There is no converter for dataset_name \"mnits\"; known: cifar10, mnist"));
  CHECK_THROWS_WITH(convert_dataset("mnist", {.input_dir = "oss://b/mnist", .output_dir = "x"}, {}, log),
                    Contains("ossutil cp -r oss://b/mnist FOLDER"));
  CHECK_THROWS_WITH(convert_dataset("mnist", {.input_dir = "no/such/folder", .output_dir = "x"}, {}, log),
                    Contains("the folder no/such/folder does not exist"));
}

TEST_CASE("convert: every converter is for a known data set") {
  for (const Converter& converter : converters()) CHECK(find_dataset(converter.dataset) != nullptr);
}
