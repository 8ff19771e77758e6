#include "data/preprocess/resize.h"

#include <map>

#include "data/preprocess/image_source.h"
#include "tests/data/preprocess/golden_pixels.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

constexpr ResizeMethod kMethods[] = {ResizeMethod::bilinear, ResizeMethod::nearest, ResizeMethod::bicubic,
                                     ResizeMethod::area};

ResizeAxis whole(int in, int out) {
  return {.in = in, .out = out, .count = out};
}

std::vector<float> resize(const Image& image, const ResizeOptions& options) {
  Resize resizer;
  resizer.prepare(options);
  Image part;
  PixelSource(image).decode_crop(resizer.source(), part);
  std::vector<float> target(std::size_t(options.rows.count) * options.columns.count * 3);
  resizer.run(part, target);
  return target;
}

/// Every value of "small" is a number of 24 bits over 2^24; a resize is linear, so that of the three images
/// of its bytes adds up to that of the floats.
std::vector<float> resize_small(ResizeOptions options) {
  const auto values = golden_small();
  std::vector<float> sum(std::size_t(options.rows.count) * options.columns.count * 3);
  for (const int shift : {0, 8, 16}) {
    Image bytes(6, 5, 3);
    for (std::size_t i = 0; i < values.size(); ++i)
      bytes.pixels()[i] = std::uint8_t(std::uint32_t(values[i] * 16777216.0F) >> shift);
    options.scale = std::ldexp(1.0F, shift - 24);
    const auto part = resize(bytes, options);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
  }
  return sum;
}

}  // namespace

TEST_CASE("golden: every resize method gives TensorFlow's values for small images") {
  for (const auto& row : golden_operations("resize_")) {
    if (row["input"] != "small") continue;
    CAPTURE(row["case"].get<std::string>());
    check_golden(resize_small({.method = kMethods[row["params"]["method_number"].get<int>()],
                               .rows = whole(6, row["params"]["size"][0]),
                               .columns = whole(5, row["params"]["size"][1])}),
                 row, 2e-6);
  }
}

TEST_CASE("golden: every resize method gives TensorFlow's values for photographs") {
  std::map<std::string, Image> images;
  for (const auto& row : golden_operations("resize_")) {
    const std::string input = row["input"];
    if (input == "small") continue;
    CAPTURE(row["case"].get<std::string>());
    if (!images.contains(input)) images[input] = golden_image(input);
    const Image& image = images[input];
    check_golden(resize(image, {.method = kMethods[row["params"]["method_number"].get<int>()],
                                .rows = whole(image.height(), row["params"]["size"][0]),
                                .columns = whole(image.width(), row["params"]["size"][1]),
                                .scale = 1.0F / 255}),
                 row, 1e-4);
  }
}

TEST_CASE("golden: a flip mirrors small images and photographs as TensorFlow does") {
  for (const auto& row : golden_operations("flip_left_right")) {
    CAPTURE(row["case"].get<std::string>());
    ResizeOptions options{
        .rows = whole(6, 6), .columns = whole(5, 5), .flip = ResizeOptions::Flip::left_right};
    if (row["input"] == "small") {
      check_golden(resize_small(options), row, 2e-6);
      continue;
    }
    const Image image = golden_image(row["input"]);
    options.rows = whole(image.height(), image.height());
    options.columns = whole(image.width(), image.width());
    options.scale = 1.0F / 255;
    check_golden(resize(image, options), row, 1e-5);
  }
}

TEST_CASE("resize: the same size gives the pixels, scaled and shifted") {
  const Image image = ramp_image(7, 9, 3);
  for (const ResizeMethod method : kMethods) {
    CAPTURE(int(method));
    const auto values = resize(
        image,
        {.method = method, .rows = whole(7, 7), .columns = whole(9, 9), .scale = 2, .shift = {-1, 10, 100}});
    constexpr float kShift[] = {-1, 10, 100};
    for (std::size_t i = 0; i < values.size(); ++i)
      REQUIRE(values[i] == 2.0F * image.pixels()[i] + kShift[i % 3]);
  }
}

TEST_CASE("resize: a flip mirrors the result exactly, and two give it back") {
  const Image image = ramp_image(13, 17, 3);
  for (const ResizeMethod method : kMethods)
    for (const int width : {1, 2, 8, 40}) {
      CAPTURE(int(method), width);
      ResizeOptions options{.method = method, .rows = whole(13, 11), .columns = whole(17, width)};
      const auto plain = resize(image, options);
      options.flip = ResizeOptions::Flip::left_right;
      const auto flipped = resize(image, options);
      for (int y = 0; y < 11; ++y)
        for (int x = 0; x < width; ++x)
          for (int c = 0; c < 3; ++c)
            REQUIRE(flipped[(y * width + x) * 3 + c] == plain[(y * width + width - 1 - x) * 3 + c]);
    }
}

TEST_CASE("resize: a window is that part of the whole result, bit for bit, and needs less of the image") {
  const Image image = ramp_image(40, 50, 3);
  for (const ResizeMethod method : kMethods)
    for (const int out : {30, 90}) {
      CAPTURE(int(method), out);
      const auto all = resize(image, {.method = method, .rows = whole(40, out), .columns = whole(50, out)});
      const ResizeOptions options{.method = method,
                                  .rows = {.in = 40, .out = out, .first = 7, .count = 12},
                                  .columns = {.in = 50, .out = out, .first = 11, .count = 9}};
      const auto window = resize(image, options);
      for (int y = 0; y < 12; ++y)
        for (int x = 0; x < 27; ++x)
          REQUIRE(window[y * 27 + x] == all[((7 + y) * out + 11) * std::size_t(3) + x]);
      Resize resizer;
      resizer.prepare(options);
      CHECK(resizer.source().top > 0);
      CHECK(resizer.source().left > 0);
      CHECK(resizer.source().height < 22);
      CHECK(resizer.source().width < 26);
    }
}

TEST_CASE("resize: the source lies inside the image for every pair of extents, and bilinear stays in range") {
  Resize resizer;
  for (int in = 1; in <= 40; ++in)
    for (int out = 1; out <= 40; ++out)
      for (const ResizeMethod method : kMethods) {
        CAPTURE(in, out, int(method));
        resizer.prepare({.method = method, .rows = whole(in, out), .columns = whole(in, out)});
        const Rectangle source = resizer.source();
        REQUIRE(source.top >= 0);
        REQUIRE(source.height >= 1);
        REQUIRE(source.top + source.height <= in);
        Image white(source.height, source.width, 3);
        std::ranges::fill(white.pixels(), std::uint8_t{255});
        std::vector<float> values(std::size_t(out) * out * 3);
        resizer.run(white, values);
        for (const float value : values) REQUIRE(std::abs(value - 255) < 0.01);
      }
}

TEST_CASE("resize: nothing is written past the target") {
  const Image image = ramp_image(5, 6, 3);
  Resize resizer;
  resizer.prepare({.rows = whole(5, 4), .columns = whole(6, 7)});
  std::vector<float> target(4 * 7 * 3 + 1, -77.0F);
  resizer.run(image, std::span(target).first(4 * 7 * 3));
  CHECK(target.back() == -77.0F);
}
