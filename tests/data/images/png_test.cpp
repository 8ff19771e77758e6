#include "data/images/png.h"

#include <algorithm>

#include "data/images/decode.h"
#include "engine/base/error.h"
#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

bool same_pixels(const Image& a, const Image& b) {
  return std::ranges::equal(a.pixels(), b.pixels());
}

}  // namespace

TEST_CASE("png: an RGB image comes back pixel by pixel") {
  for (const auto& [height, width] : {std::pair{1, 1}, {5, 3}, {32, 32}, {1, 257}}) {
    const Image image = ramp_image(height, width, 3);
    const Image again = decode_image(encode_png(image));
    CHECK(again.height() == height);
    CHECK(again.width() == width);
    CHECK(same_pixels(image, again));
  }
}

TEST_CASE("png: a gray image comes back as three equal channels") {
  const Image gray = ramp_image(4, 6, 1);
  const Image rgb = decode_image(encode_png(gray));
  REQUIRE(rgb.channels() == 3);
  for (std::size_t i = 0; i < gray.pixels().size(); ++i)
    for (int c = 0; c < 3; ++c) CHECK(rgb.pixels()[3 * i + c] == gray.pixels()[i]);
}

TEST_CASE("golden: the encoder gives the very bytes of TensorFlow's encode_png") {
  const auto expected = file_bytes(sample_dir() / "preprocessing/images/mnist.png");
  const Image rgb = decode_image(expected);
  Image gray(rgb.height(), rgb.width(), 1);
  for (std::size_t i = 0; i < gray.pixels().size(); ++i) gray.pixels()[i] = rgb.pixels()[3 * i];
  CHECK(encode_png(gray) == expected);
}

TEST_CASE("png: the encoder is deterministic") {
  const Image image = ramp_image(32, 32, 3);
  CHECK(encode_png(image) == encode_png(image));
}

TEST_CASE("png: an image without pixels or with two channels is not encoded") {
  CHECK_THROWS_AS(encode_png(Image()), UsageError);
  CHECK_THROWS_WITH(encode_png(Image(2, 3, 2)), Contains("1 or 3 channels") && Contains("2 x 3 x 2"));
}

TEST_CASE("png: data cut anywhere are an error") {
  const auto whole = encode_png(ramp_image(16, 16, 3));
  for (std::size_t size = 8; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK_THROWS_AS(decode_image(std::span(whole).first(size)), InputError);
  }
  CHECK_THROWS_WITH(decode_image(std::span(whole).first(20)),
                    Contains("png of 20 bytes has no header") && Contains("cut short"));
  CHECK_THROWS_WITH(decode_image(std::span(whole).first(60)),
                    Contains("png of 60 bytes") && Contains("the data end early"));
}

TEST_CASE("png: a flipped bit anywhere in the pixel data is an error") {
  const auto whole = encode_png(ramp_image(16, 16, 3));
  const std::size_t first_data_byte = 8 + 25 + 8;
  for (std::size_t at = first_data_byte; at < whole.size() - 12; at += 7) {
    CAPTURE(at);
    auto damaged = whole;
    damaged[at] ^= std::byte{4};
    CHECK_THROWS_AS(decode_image(damaged), InputError);
  }
}
