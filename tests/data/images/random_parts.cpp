#include "tests/data/images/random_parts.h"

#include <algorithm>
#include <utility>

#include "data/images/decode.h"
#include "engine/base/error.h"
#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"

namespace fastnn::tests {
namespace {

/// A random part; every other one is small, every fourth touches the borders.
Rectangle random_part(const ImageInfo& info, std::mt19937& random) {
  const auto stretch = [&](int extent) {
    const int longest = random() % 2 == 0 ? std::min(extent, 24) : extent;
    const int size = 1 + static_cast<int>(random() % longest);
    const int last = extent - size;
    const int first = random() % 4 == 0 ? last : static_cast<int>(random() % (last + 1));
    return std::pair(first, size);
  };
  const auto [top, height] = stretch(info.height);
  const auto [left, width] = stretch(info.width);
  return {.top = top, .left = left, .height = height, .width = width};
}

}  // namespace

int compare_parts(const std::vector<std::byte>& bytes, const DecodeOptions& options, int count,
                  std::mt19937& random) {
  Image whole;
  try {
    whole = decode_image(bytes, options);
  } catch (const InputError&) {
    return 0;
  }
  const EncodedImage encoded(bytes, options);
  Image part;
  for (int i = 0; i < count; ++i) {
    const Rectangle crop = random_part(encoded.info(), random);
    CAPTURE(crop.top, crop.left, crop.height, crop.width);
    encoded.decode_crop(crop, part);
    REQUIRE(same_image(part, part_of(whole, crop)));
  }
  return count;
}

}  // namespace fastnn::tests
