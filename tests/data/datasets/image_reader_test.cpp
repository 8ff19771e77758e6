#include "data/datasets/image_reader.h"

#include "data/convert/image_record.h"
#include "data/images/png.h"
#include "data/records/example_writer.h"
#include "data/records/record_set.h"
#include "engine/base/error.h"
#include "tests/data/datasets/recording_log.h"
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

int read_with(const ImageReader& reader, const std::string& payload, std::vector<float>* image = nullptr) {
  std::vector<float> values(reader.image_shape().elements());
  StageTimes times;
  StageClock clock(times);
  const int label = reader.read(std::as_bytes(std::span(payload)), kOrigin, {}, values, clock);
  if (image != nullptr) *image = values;
  return label;
}

/// Reads a payload as a 4 x 6 image of one of 'classes' classes; returns its class.
int read(const std::string& payload, int classes, int offset = 0, std::vector<float>* image = nullptr) {
  NoLog log;
  const ImageReader reader({.labels_offset = offset, .classes = classes},
                           make_preprocessing("lenet", {.output = {4, 6, 3}}), log);
  return read_with(reader, payload, image);
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
  CHECK_THROWS_WITH(
      read(serialize_example(features("\xff\xd8\xff\xe0")), 10),
      Contains("jpeg of 4 bytes has no frame header") && Contains("some.tfrecord, record 4, byte 900"));
}

TEST_CASE("image reader: no class is the caller's mistake") {
  CHECK_THROWS_AS(read(record_of(0), 0), UsageError);
}

TEST_CASE("image reader: other names of the features are read, and named where they are missing") {
  NoLog log;
  const ImageReader reader({.classes = 10, .schema = {.image_feature = "img", .label_feature = "y"}},
                           make_preprocessing("lenet", {.output = {4, 6, 3}}), log);
  const auto png = encode_png(ramp_image(4, 6, 3));
  const std::string encoded(reinterpret_cast<const char*>(png.data()), png.size());
  CHECK(read_with(reader, serialize_example({{"img", bytes_feature(encoded)}, {"y", integer_feature(7)}})) ==
        7);
  CHECK_THROWS_WITH(read_with(reader, record_of(3)),
                    Contains("expected feature \"img\"") && Contains("image/encoded"));
  CHECK_THROWS_WITH(
      read_with(reader, serialize_example({{"img", bytes_feature("no image")}, {"y", integer_feature(7)}})),
      Contains("(img of some.tfrecord"));
}

TEST_CASE("image reader: where image/format and the content differ the content wins, with one warning") {
  RecordingLog log;
  const ImageReader reader({.classes = 10}, make_preprocessing("lenet", {.output = {4, 6, 3}}), log);
  const auto record = [](std::string_view format) {
    return serialize_image_record({.encoded = encode_png(ramp_image(4, 6, 3)), .format = format, .label = 1});
  };
  read_with(reader, record("png"));
  read_with(reader, record("PNG"));
  read_with(reader, record(""));
  CHECK(log.warnings.empty());
  read_with(reader, record("jpg"));
  read_with(reader, record("JPEG"));
  CHECK_THAT(log.warnings, Contains("image/format says jpeg, the image is a png") && Contains("record 4"));
  CHECK(std::ranges::count(log.warnings, '\n') == 1);
}

TEST_CASE("image reader: ImageNet's features are read, with boxes or without") {
  NoLog log;
  const auto png = encode_png(ramp_image(4, 6, 3));
  FeatureMap features{
      {"image/encoded", bytes_feature({reinterpret_cast<const char*>(png.data()), png.size()})},
      {"image/format", bytes_feature("JPEG")},
      {"image/colorspace", bytes_feature("RGB")},
      {"image/class/label", integer_feature(1000)},
      {"image/class/synset", bytes_feature("n15075141")},
      {"image/object/bbox/ymin", std::vector<float>{0.25F, 0}},
      {"image/object/bbox/xmin", std::vector<float>{0.5F, 0}},
      {"image/object/bbox/ymax", std::vector<float>{0.75F, 1}},
      {"image/object/bbox/xmax", std::vector<float>{1, 1}}};
  CHECK(read(serialize_example(features), 1000, 1) == 999);
  const auto boxes_of = [&] {
    const std::string payload = serialize_example(features);
    return parse_boxes(Example(std::as_bytes(std::span(payload)), kOrigin), kOrigin);
  };
  CHECK(boxes_of() == std::vector<ObjectBox>{{0.25F, 0.5F, 0.75F, 1}, {0, 0, 1, 1}});
  features["image/object/bbox/xmax"] = std::vector<float>{1};
  CHECK_THROWS_AS(boxes_of(), InputError);
  CHECK_THROWS_WITH(boxes_of(), Contains("image/object/bbox/ymin holds 2") &&
                                    Contains("image/object/bbox/xmax holds 1") && Contains("record 4"));
  features["image/object/bbox/xmax"] = std::vector<std::int64_t>{1, 2};
  CHECK_THROWS_WITH(boxes_of(), Contains("must hold float"));
  for (const char* edge : {"ymin", "xmin", "ymax", "xmax"})
    features[std::string("image/object/bbox/") + edge] = std::vector<float>{};
  CHECK(boxes_of().empty());
  features.erase("image/object/bbox/ymin");
  CHECK(boxes_of().empty());
}

TEST_CASE("image reader: raw pixels take their extents from the record, else from the data set") {
  NoLog log;
  const Image ramp = ramp_image(4, 6, 3);
  const std::string rgb(reinterpret_cast<const char*>(ramp.pixels().data()), ramp.pixels().size());
  FeatureMap features{{"image/encoded", bytes_feature(rgb)},     {"image/format", bytes_feature("RAW")},
                      {"image/class/label", integer_feature(2)}, {"image/height", integer_feature(4)},
                      {"image/width", integer_feature(6)},       {"image/channels", integer_feature(3)}};
  const auto pixels = [&](const ImageSchema& schema) {
    const ImageReader reader({.classes = 10, .schema = schema},
                             make_preprocessing("lenet", {.output = {4, 6, 3}}), log);
    std::vector<float> image;
    read_with(reader, serialize_example(features), &image);
    return image;
  };
  const auto image = pixels({});
  for (std::size_t i = 0; i < image.size(); ++i) CHECK(image[i] == (ramp.pixels()[i] - 128.0F) / 128.0F);
  for (const char* extent : {"image/height", "image/width", "image/channels"}) features.erase(extent);
  CHECK(pixels({.raw_shape = {4, 6, 3}}) == image);
  CHECK_THROWS_AS(pixels({}), InputError);
  CHECK_THROWS_WITH(pixels({}), Contains("got 0 x 0 x 0 and 72 bytes") && Contains("record 4"));
  CHECK_THROWS_WITH(pixels({.raw_shape = {4, 6, 1}}), Contains("got 4 x 6 x 1 and 72 bytes"));
  features["image/height"] = integer_feature(-4);
  CHECK_THROWS_WITH(pixels({.raw_shape = {4, -6, 3}}), Contains("got -4 x -6 x 3"));
  features["image/height"] = integer_feature(4);
  features["image/encoded"] = bytes_feature(rgb.substr(0, 24));
  const auto gray = pixels({.raw_shape = {0, 6, 1}});
  for (std::size_t i = 0; i < gray.size(); ++i) CHECK(gray[i] == (ramp.pixels()[i / 3] - 128.0F) / 128.0F);
}

TEST_CASE("golden: records written by TensorFlow are read, and written again byte for byte") {
  NoLog log;
  const RecordSet records({sample_dir() / "tfrecords/digits_train_00000-of-00003.tfrecord"}, {}, log);
  for (std::int64_t i = 0; i < records.size(); ++i) {
    const Record record = records.read(i);
    const ImageReader reader({.classes = 10}, make_preprocessing("lenet", {.output = {28, 28, 3}}), log);
    std::vector<float> image;
    const int label = read_with(
        reader, std::string(reinterpret_cast<const char*>(record.payload.data()), record.payload.size()),
        &image);
    Image gray(28, 28, 1);
    for (std::size_t p = 0; p < gray.pixels().size(); ++p)
      gray.pixels()[p] = std::uint8_t(image[3 * p] * 128 + 128);
    const std::string written = serialize_image_record(
        {.encoded = encode_png(gray), .format = "png", .label = label, .height = 28, .width = 28});
    CHECK(std::ranges::equal(std::as_bytes(std::span(written)), record.payload));
  }
}
