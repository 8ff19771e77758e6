#include <random>

#include "data/images/decode.h"
#include "data/images/jpeg_header.h"
#include "engine/base/error.h"
#include "tests/data/images/jpeg_writer.h"
#include "tests/data/images/random_parts.h"
#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

/// An image of one colour.
Image plain_image(int height, int width, const std::vector<std::uint8_t>& colour) {
  Image image(height, width, static_cast<int>(colour.size()));
  for (std::size_t i = 0; i < image.pixels().size(); ++i) image.pixels()[i] = colour[i % colour.size()];
  return image;
}

bool is_close(const Image& image, const std::vector<int>& colour) {
  for (std::size_t i = 0; i < image.pixels().size(); ++i)
    if (std::abs(image.pixels()[i] - colour[i % 3]) > 3) return false;
  return true;
}

}  // namespace

TEST_CASE("jpeg: parts equal those of the whole for all subsamplings, codings and odd sizes") {
  constexpr std::pair<int, int> kFactors[] = {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {4, 2}};
  constexpr std::pair<int, int> kSizes[] = {{1, 1}, {17, 33}, {64, 48}, {97, 101}, {8, 200}};
  std::mt19937 random(3);
  for (const auto& [horizontal, vertical] : kFactors)
    for (const auto& [height, width] : kSizes)
      for (const bool progressive : {false, true})
        for (const int restart : {0, 3}) {
          CAPTURE(horizontal, vertical, height, width, progressive, restart);
          const auto bytes = encode_jpeg(ramp_image(height, width, 3), {.horizontal = horizontal,
                                                                        .vertical = vertical,
                                                                        .progressive = progressive,
                                                                        .arithmetic = restart != 0,
                                                                        .restart_interval = restart});
          CHECK(compare_parts(bytes, {}, 10, random) == 10);
          CHECK(compare_parts(bytes, {.jpeg_dct = JpegDct::fast}, 10, random) == 10);
        }
}

TEST_CASE("jpeg: parts equal those of the whole for all colours") {
  std::mt19937 random(4);
  for (const JpegColours colours :
       {JpegColours::gray, JpegColours::ycc, JpegColours::rgb, JpegColours::cmyk, JpegColours::ycck})
    for (const int channels : {1, 3}) {
      const auto bytes = encode_jpeg(ramp_image(50, 70, colours == JpegColours::gray ? 1 : 3),
                                     {.colours = colours, .adobe = true});
      CAPTURE(static_cast<int>(colours), channels);
      CHECK(compare_parts(bytes, {.channels = channels}, 20, random) == 20);
    }
}

TEST_CASE("jpeg: red stays red in every colour space") {
  CHECK(is_close(decode_image(encode_jpeg(plain_image(9, 9, {255, 0, 0}), {})), {255, 0, 0}));
  CHECK(is_close(decode_image(encode_jpeg(plain_image(9, 9, {255, 0, 0}), {.colours = JpegColours::rgb})),
                 {255, 0, 0}));
  CHECK(is_close(decode_image(encode_jpeg(plain_image(9, 9, {77}), {.colours = JpegColours::gray})),
                 {77, 77, 77}));
}

TEST_CASE("jpeg: CMYK and YCCK become RGB, inverted values where an Adobe marker says so") {
  // One pixel, whose K is 0: plain CMYK is then (255 - c), inverted values make it black.
  const Image cyan = plain_image(1, 1, {255, 20, 0});
  CHECK(is_close(decode_image(encode_jpeg(cyan, {.colours = JpegColours::cmyk})), {0, 235, 255}));
  CHECK(is_close(decode_image(encode_jpeg(cyan, {.colours = JpegColours::cmyk, .adobe = true})), {0, 0, 0}));
  // K of the last pixel of the row is 255: inverted values are the colour itself.
  const Image row = plain_image(1, 86, {255, 20, 0});
  for (const JpegColours colours : {JpegColours::cmyk, JpegColours::ycck}) {
    const Image decoded = decode_image(encode_jpeg(row, {.colours = colours, .adobe = true}));
    const auto last = decoded.row(0).last(3);
    CHECK(last[0] > 245);
    CHECK(std::abs(last[1] - 20) < 12);
    CHECK(last[2] < 10);
  }
}

TEST_CASE("jpeg: one channel is the luma that is stored") {
  const auto bytes = encode_jpeg(ramp_image(30, 20, 1), {.colours = JpegColours::gray});
  const Image gray = decode_image(bytes, {.channels = 1});
  const Image rgb = decode_image(bytes);
  REQUIRE(gray.channels() == 1);
  for (std::size_t i = 0; i < rgb.pixels().size(); ++i) REQUIRE(rgb.pixels()[i] == gray.pixels()[i / 3]);
}

TEST_CASE("jpeg: data cut anywhere are an error") {
  for (const bool progressive : {false, true}) {
    const auto whole = encode_jpeg(ramp_image(24, 24, 3), {.progressive = progressive});
    for (std::size_t size = 3; size < whole.size(); ++size) {
      CAPTURE(progressive, size);
      REQUIRE_THROWS_AS(decode_image(std::span(whole).first(size)), InputError);
    }
    CHECK_THROWS_WITH(decode_image(std::span(whole).first(whole.size() - 10)),
                      Contains("cannot be decoded: the data end early"));
    CHECK_THROWS_WITH(decode_image(std::span(whole).first(100)),
                      Contains("jpeg of 100 bytes has no frame header"));
  }
}

TEST_CASE("jpeg: two frame headers that disagree are an error") {
  const auto small = encode_jpeg(ramp_image(8, 8, 3), {});
  auto bytes = bytes_of(std::string_view("\xff\xd8\xff\xc5\0\x0b\x08\0\x09\0\x09\x01\0\0\0", 15));
  bytes.insert(bytes.end(), small.begin() + 2, small.end());
  CHECK_THROWS_AS(decode_image(bytes), InputError);
}

TEST_CASE("jpeg: a progressive image with more than 500 scans is refused") {
  const auto one = encode_jpeg(ramp_image(8, 8, 1), {.colours = JpegColours::gray, .progressive = true});
  // The last scan again and again.
  std::size_t scan = 0;
  for (std::size_t at = 0; at + 1 < one.size(); ++at)
    if (one[at] == std::byte{0xff} && one[at + 1] == std::byte{0xda}) scan = at;
  const std::vector<std::byte> last(one.begin() + static_cast<std::ptrdiff_t>(scan), one.end() - 2);
  std::vector<std::byte> bytes(one.begin(), one.end() - 2);
  for (int i = 0; i < 600; ++i) bytes.insert(bytes.end(), last.begin(), last.end());
  bytes.insert(bytes.end(), one.end() - 2, one.end());
  CHECK_THROWS_WITH(decode_image(bytes), Contains("more than 500 scans"));
}

TEST_CASE("exif: orientations of both byte orders are read, damaged blocks count as upright") {
  using namespace std::string_view_literals;
  const auto orientation = [](std::string_view tiff) { return exif_orientation(bytes_of(tiff)); };
  CHECK(orientation("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0"sv) == 6);
  CHECK(orientation("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x08\0\0\0"sv) == 8);
  CHECK(orientation("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x09\0\0"sv) == 1);
  CHECK(orientation("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x04\0\0\0\x01\0\x06\0\0"sv) == 1);
  CHECK(orientation("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0"sv) == 1);
  CHECK(orientation("MM\0*\xff\xff\xff\xff\0\x01"sv) == 1);
  CHECK(orientation("XX\0*\0\0\0\x08\0\0"sv) == 1);
  CHECK(orientation("MM"sv) == 1);
}
