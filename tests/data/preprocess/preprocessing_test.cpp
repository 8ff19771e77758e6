#include "data/preprocess/preprocessing.h"

#include <algorithm>
#include <set>
#include <utility>

#include "data/preprocess/inception.h"
#include "data/preprocess/sample_random.h"
#include "data/preprocess/vgg.h"
#include "engine/base/error.h"
#include "tests/data/preprocess/golden_pixels.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

std::vector<float> preprocess(std::string_view name, PreprocessingMode mode, const Image& image,
                              const ImageShape& output, const SampleContext& context = {}) {
  std::vector<float> values(output.elements());
  make_preprocessing(name, {.mode = mode, .output = output})->run(PixelSource(image), context, values);
  return values;
}

std::vector<float> train(std::string_view name, const Image& image, const ImageShape& output,
                         std::int64_t position, std::uint64_t seed = 1) {
  return preprocess(name, PreprocessingMode::training, image, output,
                    {.key = {.seed = seed, .position = position}});
}

/// A photograph-like image: smooth, with all colours.
Image smooth_image(int height, int width) {
  Image image(height, width, 3);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c)
        image.row(y)[std::size_t(x) * 3 + c] =
            std::uint8_t(127.5 + 127 * std::sin(0.02 * (c + 1) * x + 0.03 * y + 2 * c));
  return image;
}

std::pair<float, float> range_of(const std::vector<float>& values) {
  const auto [low, high] = std::ranges::minmax(values);
  return {low, high};
}

}  // namespace

TEST_CASE("golden: evaluation preprocessing gives FastNN's values for every image, method and size") {
  if (!has_golden("preprocessing/decode_and_eval.json")) return;
  const auto golden = golden_json("preprocessing/decode_and_eval.json");
  int compared = 0;
  for (const auto& row : golden["images"]) {
    const Image image = golden_image(std::filesystem::path(row["file"].get<std::string>()).filename());
    for (const auto& [name, expected] : row["eval"].items()) {
      CAPTURE(row["file"].get<std::string>(), name);
      const auto underscore = name.find('_');
      const int size = std::stoi(name.substr(underscore + 1));
      const double range = expected["max"].get<double>() - expected["min"].get<double>();
      check_golden(
          preprocess(name.substr(0, underscore), PreprocessingMode::evaluation, image, {size, size, 3}),
          expected, 1e-5 * range);
      ++compared;
    }
  }
  CHECK(compared > 0);
}

TEST_CASE("golden: central crop and shorter side have the original's sizes") {
  for (const auto& row : golden_operations("central_crop_size")) {
    const int height = row["input_size"][0], width = row["input_size"][1];
    const Rectangle crop = central_crop(height, width, row["params"]["fraction"]);
    CHECK(crop.height == row["output_size"][0].get<int>());
    CHECK(crop.width == row["output_size"][1].get<int>());
    CHECK(crop.top == (height - crop.height) / 2);
  }
  for (const auto& row : golden_operations("vgg_smallest_size")) {
    const ImageExtents extents =
        with_shorter_side({row["input_size"][0], row["input_size"][1]}, row["smallest_side"]);
    CHECK(extents == ImageExtents{row["output_size"][0], row["output_size"][1]});
  }
}

TEST_CASE("golden: a central crop has TensorFlow's pixels") {
  for (const auto& row : golden_operations("central_crop_")) {
    if (!row.contains("values")) continue;
    CAPTURE(row["case"].get<std::string>());
    const Rectangle crop = central_crop(6, 5, row["params"]["fraction"]);
    CHECK(row["shape"] == nlohmann::json{crop.height, crop.width, 3});
    const auto small = golden_small();
    std::vector<float> values;
    for (int y = crop.top; y < crop.top + crop.height; ++y) {
      const auto first = small.begin() + (y * 5 + crop.left) * 3;
      values.insert(values.end(), first, first + crop.width * 3);
    }
    check_golden(values, row, 1e-9);
  }
}

TEST_CASE("golden: every fixed operation of the golden folder is compared by a test of this folder") {
  const std::vector<std::string> kCompared = {"resize_",       "brightness_",       "saturation_",
                                              "hue_",          "contrast_",         "inception_color_",
                                              "standardize",   "cifar_train_fixed", "flip_left_right",
                                              "central_crop_", "vgg_smallest_size", "crop_or_pad_6x5"};
  for (const auto& row : golden_operations("")) {
    const std::string name = row["case"];
    INFO(name);
    CHECK(
        std::ranges::any_of(kCompared, [&](const std::string& prefix) { return name.starts_with(prefix); }));
  }
}

TEST_CASE("preprocessing: the same key gives the same pixels, another position or seed others") {
  const Image image = smooth_image(90, 120);
  for (const PreprocessingEntry& entry : preprocessings()) {
    CAPTURE(entry.name);
    const auto values = train(entry.name, image, {64, 48, 3}, 5);
    CHECK(values == train(entry.name, image, {64, 48, 3}, 5));
    CHECK((values == train(entry.name, image, {64, 48, 3}, 6)) == (entry.name == "lenet"));
    CHECK((values == train(entry.name, image, {64, 48, 3}, 5, 2)) == (entry.name == "lenet"));
  }
}

TEST_CASE("preprocessing: evaluation does not depend on the key") {
  const Image image = smooth_image(90, 120);
  for (const PreprocessingEntry& entry : preprocessings()) {
    CAPTURE(entry.name);
    CHECK(preprocess(entry.name, PreprocessingMode::evaluation, image, {64, 48, 3}, {.key = {1, 2}}) ==
          preprocess(entry.name, PreprocessingMode::evaluation, image, {64, 48, 3}, {.key = {3, 4}}));
  }
}

TEST_CASE("preprocessing: values stay in their ranges, for images of one pixel and long ones too") {
  const std::pair<std::string_view, std::pair<float, float>> kRanges[] = {
      {"inception", {-1, 1}}, {"inception_full", {-1, 1}}, {"vgg", {-123.7F, 151.1F}}, {"lenet", {-1, 1}}};
  for (const auto& [name, range] : kRanges)
    for (const auto& [height, width] : {std::pair{1, 1}, {1, 9}, {300, 2}, {5, 3}, {400, 300}})
      for (std::int64_t position = 0; position < 8; ++position) {
        CAPTURE(name, height, width, position);
        const auto [low, high] = range_of(train(name, smooth_image(height, width), {32, 40, 3}, position));
        CHECK(low >= range.first);
        CHECK(high <= range.second);
      }
}

TEST_CASE("preprocessing: a part decoded from a PNG gives what the pixels give") {
  const Image image = golden_image("rgba.png", sample_dir());
  const auto bytes = file_bytes(sample_dir() / "preprocessing/images/rgba.png");
  const EncodedImage encoded(bytes, {});
  for (const PreprocessingEntry& entry : preprocessings()) {
    CAPTURE(entry.name);
    const ImageShape output{32, 32, 3};
    std::vector<float> values(output.elements());
    const SampleContext context{.key = {.seed = 3, .position = 9}};
    make_preprocessing(entry.name, {.output = output})->run(EncodedSource(encoded), context, values);
    CHECK(values == preprocess(entry.name, PreprocessingMode::training, image, output, context));
  }
}

TEST_CASE("inception: half of the samples are flipped, and the crop follows the record's boxes") {
  // Bright on the left: a flipped sample is brighter on the right.
  Image image(50, 50, 3);
  for (int y = 0; y < 50; ++y)
    for (int x = 0; x < 150; ++x) image.row(y)[x] = std::uint8_t(250 - x);
  int flipped = 0;
  for (std::int64_t position = 0; position < 400; ++position) {
    const auto values = train("inception", image, {8, 8, 3}, position);
    flipped += values[0] < values[21];
  }
  CHECK(flipped > 160);
  CHECK(flipped < 240);

  const auto inception = make_preprocessing("inception", {.output = {8, 8, 3}});
  CHECK(inception->uses_boxes());
  CHECK_FALSE(make_preprocessing("vgg", {.output = {8, 8, 3}})->uses_boxes());
  const ObjectBox corner[] = {{.ymin = 0, .xmin = 0, .ymax = 0.1F, .xmax = 0.1F}};
  const SampleContext context{.key = {.seed = 1, .position = 3}};
  CHECK(preprocess("inception", PreprocessingMode::training, image, {8, 8, 3}, context) !=
        preprocess("inception", PreprocessingMode::training, image, {8, 8, 3},
                   {.key = context.key, .boxes = corner}));
}

TEST_CASE("inception: full mode changes hue, fast mode leaves the order of channels") {
  Image image(30, 30, 3);
  for (std::size_t i = 0; i < image.pixels().size(); ++i)
    image.pixels()[i] = i % 3 == 0 ? 150 : i % 3 == 1 ? 110 : 70;
  int fast = 0, full = 0;
  for (std::int64_t position = 0; position < 200; ++position) {
    const auto a = train("inception", image, {4, 4, 3}, position);
    const auto b = train("inception_full", image, {4, 4, 3}, position);
    fast += a[0] > a[1] && a[1] > a[2];
    full += b[0] > b[1] && b[1] > b[2];
  }
  CHECK(fast == 200);
  CHECK(full < 150);
}

TEST_CASE("vgg: training takes shorter sides from 256 to 512 and subtracts the mean colour") {
  Image image(256, 256, 3);
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 768; ++x) image.row(y)[x] = std::uint8_t(x / 3);
  std::set<int> steps;
  int flipped = 0;
  for (std::int64_t position = 0; position < 300; ++position) {
    const auto values = train("vgg", image, {4, 200, 3}, position);
    const float rise = values[3 * 150] - values[3 * 50];
    flipped += rise < 0;
    // 100 pixels apart at scale s are 100 / s pixels of the image.
    steps.insert(int(std::lround(25600 / std::abs(rise))));
    REQUIRE(values[0] - values[1] == Approx(116.78 - 123.68).margin(1e-4));
    REQUIRE(values[0] - values[2] == Approx(103.94 - 123.68).margin(1e-4));
  }
  CHECK(*steps.begin() >= 254);
  CHECK(*steps.begin() < 262);
  CHECK(*steps.rbegin() <= 516);
  CHECK(*steps.rbegin() > 505);
  CHECK(flipped > 110);
  CHECK(flipped < 190);
}

TEST_CASE("vgg: an output above 256 pixels is refused before the run, in both modes") {
  for (const auto mode : {PreprocessingMode::training, PreprocessingMode::evaluation}) {
    CHECK_NOTHROW(make_preprocessing("vgg", {.mode = mode, .output = {256, 256, 3}}));
    CHECK_THROWS_AS(make_preprocessing("vgg", {.mode = mode, .output = {224, 257, 3}}), UsageError);
    CHECK_THROWS_WITH(make_preprocessing("vgg", {.mode = mode, .output = {299, 299, 3}}),
                      Contains("shorter side is 256") && Contains("299 x 299") && Contains("inception"));
  }
}

TEST_CASE("cifarnet: training shows every offset of the padded image, flipped and not, and standardises") {
  // One bright pixel: where it comes out tells offset and flip apart. 9 x 9 offsets of an 8 x 8 window.
  Image image(8, 8, 3);
  for (int c = 0; c < 3; ++c) image.row(3)[3 * 2 + c] = 255;
  std::set<std::pair<int, int>> places;
  for (std::int64_t position = 0; position < 4000; ++position) {
    const auto values = train("cifarnet", image, {8, 8, 3}, position);
    double sum = 0, squares = 0;
    for (const float value : values) sum += value, squares += double{value} * value;
    REQUIRE(std::abs(sum / 192) < 1e-5);
    const auto brightest = std::ranges::max_element(values) - values.begin();
    if (squares < 1) continue;  // the bright pixel was cut off
    REQUIRE(squares / 192 == Approx(1).epsilon(1e-4));
    places.emplace(brightest / 24, brightest % 24 / 3);
  }
  // Rows 0 .. 7 (3 + 4 - offset), columns 0 .. 6 unflipped and 1 .. 7 flipped.
  CHECK(places.size() == 64);
}

TEST_CASE(
    "cifarnet: an image smaller than the crop with its padding is refused in training, padded otherwise") {
  CHECK_NOTHROW(train("cifarnet", smooth_image(24, 24), {32, 32, 3}, 0));
  CHECK_THROWS_AS(train("cifarnet", smooth_image(23, 24), {32, 32, 3}, 0), InputError);
  CHECK_THROWS_WITH(train("cifarnet", smooth_image(24, 23), {32, 32, 3}, 0),
                    Contains("crop of 32 x 32") && Contains("image of 24 x 23"));
  CHECK_NOTHROW(preprocess("cifarnet", PreprocessingMode::evaluation, smooth_image(5, 3), {32, 32, 3}));
}

TEST_CASE("cifarnet: a window of padding alone is all zeros") {
  const Image image = smooth_image(6, 6);
  int empty = 0;
  for (std::int64_t position = 0; position < 200; ++position)
    empty += range_of(train("cifarnet", image, {2, 2, 3}, position)) == std::pair{0.0F, 0.0F};
  CHECK(empty > 20);
}

TEST_CASE("lenet: height and width keep their order in images that are not square") {
  const Image image = ramp_image(2, 3, 3);
  const auto values = train("lenet", image, {2, 3, 3}, 0);
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == (image.pixels()[i] - 128.0F) / 128.0F);
  const auto wider = train("lenet", image, {2, 5, 3}, 0);
  CHECK(wider[0] == -1.0F);
  CHECK(wider[3] == values[0]);
  CHECK(wider[15 + 3] == values[9]);
}

TEST_CASE("lenet: training and evaluation give the same values") {
  const Image image = ramp_image(31, 20, 3);
  CHECK(train("lenet", image, {28, 28, 3}, 0) ==
        preprocess("lenet", PreprocessingMode::evaluation, image, {28, 28, 3}));
}

TEST_CASE("preprocessing: an unknown name lists the known ones") {
  CHECK_THROWS_AS(make_preprocessing("lenett", {.output = {28, 28, 3}}), UsageError);
  CHECK_THROWS_WITH(
      make_preprocessing("lenett", {.output = {28, 28, 3}}),
      Contains("did you mean lenet? There is no preprocessing \"lenett\"; known: inception, inception_full, vgg, cifarnet, lenet"));
}

TEST_CASE(
    "preprocessing: every entry refuses an output without pixels, other channels and spans of other size") {
  for (const PreprocessingEntry& entry : preprocessings()) {
    CAPTURE(entry.name);
    CHECK_FALSE(entry.summary.empty());
    CHECK_THROWS_WITH(make_preprocessing(entry.name, {.output = {0, 28, 3}}), Contains("got 0 x 28 x 3"));
    CHECK_THROWS_WITH(make_preprocessing(entry.name, {.output = {28, 28, 1}}), Contains("got 28 x 28 x 1"));
    const auto preprocessing = make_preprocessing(entry.name, {.output = {28, 30, 3}});
    CHECK(preprocessing->output() == ImageShape{28, 30, 3});
    std::vector<float> values(28 * 30 * 3);
    const Image gray = ramp_image(28, 28, 1), colour = ramp_image(28, 28, 3);
    CHECK_THROWS_AS(preprocessing->run(PixelSource(gray), {}, values), UsageError);
    CHECK_THROWS_WITH(preprocessing->run(PixelSource(gray), {}, values), Contains("3 channels, got 1"));
    CHECK_THROWS_WITH(preprocessing->run(PixelSource(colour), {}, std::span(values).first(10)),
                      Contains("= 2520 floats are written, the target has 10"));
  }
}

TEST_CASE("sample random: numbers are uniform, and differ by key and purpose") {
  SampleRandom random({.seed = 1, .position = 2}, "test");
  int counts[7] = {}, heads = 0;
  double sum = 0;
  for (int i = 0; i < 7000; ++i) {
    ++counts[random.below(7)];
    heads += random.coin();
    const float value = random.uniform(-2, 3);
    REQUIRE(value >= -2);
    REQUIRE(value < 3);
    sum += value;
  }
  for (const int count : counts) CHECK(std::abs(count - 1000) < 150);
  CHECK(std::abs(heads - 3500) < 200);
  CHECK(sum / 7000 == Approx(0.5).margin(0.08));
  CHECK(SampleRandom({1, 2}, "a").unit() == SampleRandom({1, 2}, "a").unit());
  CHECK(SampleRandom({1, 2}, "a").unit() != SampleRandom({1, 2}, "b").unit());
  CHECK(SampleRandom({1, 2}, "a").unit() != SampleRandom({1, 3}, "a").unit());
  CHECK(SampleRandom({1, 2}, "a").unit() != SampleRandom({2, 2}, "a").unit());
  CHECK(SampleRandom({1, 2}, "a").unit() != SampleRandom({1, 2 + (std::int64_t{1} << 32)}, "a").unit());
}
