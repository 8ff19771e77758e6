#include "data/datasets/image_reader.h"

#include "data/convert/image_record.h"
#include "data/images/png.h"
#include "data/records/example_writer.h"
#include "data/records/record_set.h"
#include "engine/core/error.h"
#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

const RecordOrigin kOrigin{.file = "some.tfrecord", .record = 4, .byte = 900};

std::string record_of(std::int64_t label) {
  return serialize_image_record(
      {.encoded = encode_png(ramp_image(4, 6, 3)), .format = "jpg", .label = label, .height = 4, .width = 6});
}

/// Reads a payload as a 4 x 6 image of one of 'classes' classes; returns its class.
int read(const std::string& payload, int classes, int offset = 0, std::vector<float>* image = nullptr) {
  const ImageReader reader({.labels_offset = offset, .classes = classes},
                           make_preprocessing("lenet", {.output = {4, 6, 3}}));
  std::vector<float> values(reader.image_shape().elements());
  const int label = reader.read(std::as_bytes(std::span(payload)), kOrigin, {}, values);
  if (image != nullptr) *image = values;
  return label;
}

FeatureMap features(const std::string& encoded) {
  return {{"image/encoded", bytes_feature(encoded)}, {"image/class/label", integer_feature(1)}};
}

}  // namespace

TEST_CASE("image reader: gives label and preprocessed pixels, whatever image/format says") {
  std::vector<float> image;
  CHECK(read(record_of(3), 10, 0, &image) == 3);
  const Image expected = ramp_image(4, 6, 3);
  for (std::size_t i = 0; i < image.size(); ++i) CHECK(image[i] == (expected.pixels()[i] - 128.0F) / 128.0F);
}

TEST_CASE(
    "image reader: ImageNet's labels 1 and 1000 pass with offset 1 or 1001 classes, and fail with neither") {
  CHECK(read(record_of(1), 1000, 1) == 0);
  CHECK(read(record_of(1000), 1000, 1) == 999);
  CHECK(read(record_of(1000), 1001, 0) == 1000);
  CHECK(read(record_of(1), 1000, 0) == 1);
  CHECK_THROWS_AS(read(record_of(1000), 1000, 0), InputError);
}

TEST_CASE("image reader: a label outside names file, record, label and the flags") {
  for (const std::int64_t label :
       {std::int64_t{255}, std::int64_t{-1}, std::int64_t{10}, std::int64_t{INT64_MIN}}) {
    CAPTURE(label);
    CHECK_THROWS_WITH(read(record_of(label), 10),
                      Contains("label " + std::to_string(label) + " of some.tfrecord, record 4, byte 900") &&
                          Contains("outside 0 .. 9 (num_classes 10, labels_offset 0)"));
  }
  CHECK_THROWS_WITH(read(record_of(0), 10, 1), Contains("outside 1 .. 10"));
}

TEST_CASE("image reader: a missing, empty or wrong feature names the record") {
  CHECK_THROWS_WITH(read(serialize_example({{"image/class/label", integer_feature(1)}}), 10),
                    Contains("image/encoded") && Contains("some.tfrecord"));
  CHECK_THROWS_WITH(read(serialize_example({{"image/encoded", bytes_feature("x")}}), 10),
                    Contains("image/class/label") && Contains("some.tfrecord"));
  CHECK_THROWS_WITH(read(serialize_example(features("")), 10),
                    Contains("0 bytes") && Contains("some.tfrecord, record 4"));
  CHECK_THROWS_WITH(read(serialize_example({{"image/encoded", integer_feature(1)},
                                            {"image/class/label", integer_feature(1)}}),
                         10),
                    Contains("image/encoded") && Contains("int64") && Contains("some.tfrecord"));
  CHECK_THROWS_WITH(read(serialize_example({{"image/encoded", bytes_feature("x")},
                                            {"image/class/label", bytes_feature("3")}}),
                         10),
                    Contains("image/class/label") && Contains("some.tfrecord"));
}

TEST_CASE("image reader: an image that cannot be decoded names the record") {
  CHECK_THROWS_AS(read(serialize_example(features("no image")), 10), InputError);
  CHECK_THROWS_WITH(
      read(serialize_example(features("no image")), 10),
      Contains("not an image of a known format") && Contains("some.tfrecord, record 4, byte 900"));
  CHECK_THROWS_WITH(read(serialize_example(features("\xff\xd8\xff\xe0")), 10),
                    Contains("this is a jpeg image") && Contains("some.tfrecord"));
}

TEST_CASE("image reader: no class is the caller's mistake") {
  CHECK_THROWS_AS(read(record_of(0), 0), UsageError);
}

TEST_CASE("golden: records written by TensorFlow are read, and written again byte for byte") {
  NoLog log;
  const RecordSet records({golden_dir() / "tfrecords/digits_train_00000-of-00003.tfrecord"}, {}, log);
  for (std::int64_t i = 0; i < records.size(); ++i) {
    const Record record = records.read(i);
    const ImageReader reader({.classes = 10}, make_preprocessing("lenet", {.output = {28, 28, 3}}));
    std::vector<float> image(28 * 28 * 3);
    const int label = reader.read(record.payload, record.origin, {}, image);
    Image gray(28, 28, 1);
    for (std::size_t p = 0; p < gray.pixels().size(); ++p)
      gray.pixels()[p] = std::uint8_t(image[3 * p] * 128 + 128);
    const std::string written = serialize_image_record(
        {.encoded = encode_png(gray), .format = "png", .label = label, .height = 28, .width = 28});
    CHECK(std::ranges::equal(std::as_bytes(std::span(written)), record.payload));
  }
}
