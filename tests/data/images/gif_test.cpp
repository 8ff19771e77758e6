#include "data/images/gif.h"

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

std::string short_integer(int value) {
  return {static_cast<char>(value), static_cast<char>(value >> 8)};
}

/// 128 colours: i, 2 i and 255 - i.
std::string palette() {
  std::string colours;
  for (int i = 0; i < 128; ++i)
    colours += {static_cast<char>(i), static_cast<char>(2 * i), static_cast<char>(255 - i)};
  return colours;
}

/// Pixels in codes of 8 bits, which a clear code after every 100 of them keeps from growing.
std::string codes(const std::string& indices) {
  constexpr char kBits = 7, kClear = '\x80', kEnd = '\x81';
  std::string data;
  for (std::size_t at = 0; at < indices.size(); at += 100) {
    const std::string part = kClear + indices.substr(at, 100);
    data += static_cast<char>(part.size()) + part;
  }
  return kBits + data + '\1' + kEnd + '\0';
}

struct Frame {
  int top = 0, left = 0, height = 4, width = 6;
  bool interlaced = false;
  /// Palette index that is transparent; -1 is none.
  int transparent = -1;
  /// In the order of storage.
  std::string indices{};

  std::string text() const {
    std::string control;
    if (transparent >= 0)
      control = std::string("\x21\xf9\x04\x01\0\0", 6) + static_cast<char>(transparent) + '\0';
    return control + '\x2c' + short_integer(left) + short_integer(top) + short_integer(width) +
           short_integer(height) + (interlaced ? '\x40' : '\0') + codes(indices);
  }
};

std::vector<std::byte> gif(int height, int width, const std::string& frames, bool with_palette = true) {
  const std::string screen = "GIF89a" + short_integer(width) + short_integer(height) +
                             (with_palette ? '\xe6' : '\x66') + std::string(2, '\0');
  return bytes_of(screen + (with_palette ? palette() : "") + frames + '\x3b');
}

std::string ramp(int count) {
  std::string indices;
  for (int i = 0; i < count; ++i) indices += static_cast<char>(i % 128);
  return indices;
}

/// The palette index that a pixel shows.
int index_at(const Image& image, int y, int x) {
  const int red = image.row(y)[std::size_t(x) * 3];
  CHECK(image.row(y)[std::size_t(x) * 3 + 1] == 2 * red);
  CHECK(image.row(y)[std::size_t(x) * 3 + 2] == 255 - red);
  return red;
}

}  // namespace

TEST_CASE("gif: the first frame is shown through its palette, later ones are not read") {
  const std::string frames =
      Frame{.indices = ramp(24)}.text() + Frame{.indices = std::string(24, '\x05')}.text();
  const Image image = decode_image(gif(4, 6, frames));
  CHECK(image.height() == 4);
  CHECK(image.width() == 6);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 6; ++x) CHECK(index_at(image, y, x) == 6 * y + x);
}

TEST_CASE("gif: interlaced rows come in their order") {
  std::string stored;
  for (const int y : {0, 8, 4, 2, 6, 10, 1, 3, 5, 7, 9}) stored += std::string(3, static_cast<char>(y));
  const Image image =
      decode_image(gif(11, 3, Frame{.height = 11, .width = 3, .interlaced = true, .indices = stored}.text()));
  for (int y = 0; y < 11; ++y) CHECK(index_at(image, y, 2) == y);
}

TEST_CASE("gif: what the frame leaves free, and transparent pixels, are black") {
  const Frame small{.top = 1, .left = 2, .height = 2, .width = 3, .transparent = 4, .indices = ramp(6)};
  const Image image = decode_image(gif(4, 6, small.text()));
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 6; ++x) {
      const bool inside = y >= 1 && y < 3 && x >= 2 && x < 5;
      const int index = (y - 1) * 3 + x - 2;
      if (inside && index != 4)
        CHECK(index_at(image, y, x) == index);
      else
        CHECK(std::ranges::all_of(image.row(y).subspan(std::size_t(x) * 3, 3), [](int v) { return v == 0; }));
    }
}

TEST_CASE("gif: a frame that leaves the screen is cut") {
  const Frame wide{.top = 3, .left = 4, .height = 2, .width = 3, .indices = ramp(6)};
  const Image image = decode_image(gif(4, 6, wide.text()));
  CHECK(index_at(image, 3, 4) == 0);
  CHECK(index_at(image, 3, 5) == 1);
}

TEST_CASE("gif: parts equal those of the whole, interlaced or not") {
  std::mt19937 random(6);
  for (const bool interlaced : {false, true}) {
    const Frame frame{
        .top = 2, .left = 3, .height = 30, .width = 20, .interlaced = interlaced, .indices = ramp(600)};
    CHECK(compare_parts(gif(40, 25, frame.text()), {}, 50, random) == 50);
  }
}

TEST_CASE("gif: no frame, no colours and data cut anywhere are errors") {
  CHECK_THROWS_WITH(decode_image(gif(4, 6, "")), Contains("cannot be decoded: it has no frame"));
  CHECK_THROWS_WITH(decode_image(gif(4, 6, Frame{.indices = ramp(24)}.text(), false)),
                    Contains("its first frame has no colours"));
  const auto whole = gif(4, 6, Frame{.transparent = 3, .indices = ramp(24)}.text());
  // The end of the frame, and of the file, may be missing.
  for (std::size_t size = 6; size < whole.size() - 5; ++size) {
    CAPTURE(size);
    REQUIRE_THROWS_AS(decode_image(std::span(whole).first(size)), InputError);
  }
  CHECK_THROWS_WITH(decode_image(std::span(whole).first(9)), Contains("gif of 9 bytes is cut short"));
}
