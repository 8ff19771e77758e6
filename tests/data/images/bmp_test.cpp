#include "data/images/bmp.h"

#include <random>
#include <string>

#include "data/images/decode.h"
#include "engine/base/error.h"
#include "tests/data/images/random_parts.h"
#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

std::string little(std::uint32_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

struct Bmp {
  int height = 3, width = 5;
  int bits = 24;
  std::uint32_t compression = 0;
  std::uint32_t info_size = 40;
  /// Behind the header: masks or the palette.
  std::string tables{};
  std::uint32_t colours = 0;
  /// Rows as they are stored.
  std::string rows{};

  std::vector<std::byte> bytes() const {
    const std::string info = little(info_size, 4) + little(static_cast<std::uint32_t>(width), 4) +
                             little(static_cast<std::uint32_t>(height), 4) + little(1, 2) +
                             little(static_cast<std::uint32_t>(bits), 2) + little(compression, 4) +
                             std::string(12, '\0') + little(colours, 4) + std::string(4, '\0');
    const auto start = static_cast<std::uint32_t>(14 + info.size() + tables.size());
    return bytes_of("BM" + std::string(8, '\0') + little(start, 4) + info + tables + rows);
  }
};

/// Rows of a ramp image as 24 or 32 bits: blue, green, red.
std::string ramp_rows(int height, int width, int bits, bool from_the_top) {
  const Image ramp = ramp_image(height, width, 3);
  std::string rows;
  for (int i = 0; i < height; ++i) {
    const auto row = ramp.row(from_the_top ? i : height - 1 - i);
    for (int x = 0; x < width; ++x) {
      for (int c = 2; c >= 0; --c) rows += static_cast<char>(row[std::size_t(x) * 3 + c]);
      if (bits == 32) rows += '\x7f';
    }
    while (rows.size() % 4 != 0) rows += '\0';
  }
  return rows;
}

}  // namespace

TEST_CASE("bmp: 24 and 32 bits decode, from the bottom up and from the top down") {
  for (const int bits : {24, 32})
    for (const int height : {3, -3}) {
      CAPTURE(bits, height);
      const Bmp bmp{.height = height, .bits = bits, .rows = ramp_rows(3, 5, bits, height < 0)};
      CHECK(same_image(decode_image(bmp.bytes()), ramp_image(3, 5, 3)));
    }
  const std::string masks = little(0x00ff0000, 4) + little(0x0000ff00, 4) + little(0xff, 4);
  const Bmp masked{.bits = 32, .compression = 3, .tables = masks, .rows = ramp_rows(3, 5, 32, false)};
  CHECK(same_image(decode_image(masked.bytes()), ramp_image(3, 5, 3)));
}

TEST_CASE("bmp: palettes of 1, 4 and 8 bits are expanded, indices beyond the palette are black") {
  const std::string palette("\x01\x02\x03\0\x11\x12\x13\0", 8);
  const std::vector<std::uint8_t> expected = {3, 2, 1, 0x13, 0x12, 0x11, 3, 2, 1};
  const std::pair<int, std::string> kRows[] = {
      {1, {"\x40\0\0\0", 4}}, {4, {"\x01\0\0\0", 4}}, {8, {"\0\x01\0\0", 4}}};
  for (const auto& [bits, rows] : kRows) {
    CAPTURE(bits);
    const Bmp bmp{.height = 1, .width = 3, .bits = bits, .tables = palette, .colours = 2, .rows = rows};
    CHECK(std::ranges::equal(decode_image(bmp.bytes()).pixels(), expected));
  }
  const Bmp beyond{
      .height = 1, .width = 1, .bits = 8, .tables = palette, .colours = 2, .rows = {"\x09\0\0\0", 4}};
  CHECK(std::ranges::equal(decode_image(beyond.bytes()).pixels(), std::vector<std::uint8_t>{0, 0, 0}));
}

TEST_CASE("bmp: parts equal those of the whole, palettes too") {
  std::mt19937 random(5);
  const Bmp true_colour{.height = 40, .width = 31, .rows = ramp_rows(40, 31, 24, false)};
  CHECK(compare_parts(true_colour.bytes(), {}, 30, random) == 30);
  std::string palette, rows;
  for (int i = 0; i < 16; ++i) palette += little(static_cast<std::uint32_t>(i * 0x0f0e0d), 4);
  for (int i = 0; i < 20 * 16; ++i) rows += static_cast<char>(i * 37);
  const Bmp indexed{.height = 20, .width = 31, .bits = 4, .tables = palette, .rows = rows};
  CHECK(compare_parts(indexed.bytes(), {}, 30, random) == 30);
}

TEST_CASE("bmp: compressed, odd and old ones are refused by what they are") {
  const auto rows = ramp_rows(3, 5, 24, false);
  CHECK_THROWS_AS(decode_image(Bmp{.bits = 16, .rows = rows}.bytes()), InputError);
  CHECK_THROWS_WITH(decode_image(Bmp{.bits = 16, .rows = rows}.bytes()),
                    Contains("16 bits and compression 0"));
  CHECK_THROWS_WITH(decode_image(Bmp{.bits = 8, .compression = 1, .rows = rows}.bytes()),
                    Contains("8 bits and compression 1; convert it to png"));
  CHECK_THROWS_WITH(decode_image(Bmp{.bits = 32, .compression = 3, .rows = rows}.bytes()),
                    Contains("32 bits and compression 3"));
  CHECK_THROWS_WITH(decode_image(Bmp{.info_size = 12, .rows = rows}.bytes()),
                    Contains("info header of at least 40 bytes, got 12"));
  CHECK_THROWS_WITH(decode_image(Bmp{.height = INT32_MIN, .rows = rows}.bytes()), Contains("has no pixel"));
  CHECK_THROWS_WITH(decode_image(Bmp{.width = -5, .rows = rows}.bytes()), Contains("has no pixel"));
}

TEST_CASE("bmp: data cut anywhere are an error") {
  const auto whole = Bmp{.rows = ramp_rows(3, 5, 24, false)}.bytes();
  for (std::size_t size = 2; size < whole.size(); ++size) {
    CAPTURE(size);
    REQUIRE_THROWS_WITH(decode_image(std::span(whole).first(size)), Contains("is cut short"));
  }
  CHECK_THROWS_WITH(decode_image(Bmp{.bits = 8, .rows = std::string(24, '\0')}.bytes()),
                    Contains("is cut short"));
}
