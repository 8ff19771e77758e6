#include <algorithm>
#include <array>
#include <memory>
#include <random>

#include "data/images/encoded_image.h"
#include "engine/base/error.h"
#include "tests/data/images/corpus.h"
#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

/// One to four random edits: a flipped bit, a byte set, a cut, bytes removed or repeated. Half of them in the
/// first bytes, where the headers are.
std::vector<std::byte> mutated(std::vector<std::byte> bytes, std::mt19937& random) {
  const auto below = [&random](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
  for (std::size_t edits = 1 + below(4); edits > 0 && !bytes.empty(); --edits) {
    const std::size_t at = below(below(2) == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 200));
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = place + static_cast<std::ptrdiff_t>(below(std::min<std::size_t>(20, bytes.size() - at)));
    switch (below(5)) {
      case 0:
        *place ^= std::byte(1U << below(8));
        break;
      case 1:
        *place = std::byte(std::array{0x00, 0x7f, 0x80, 0xff, 0xda}[below(5)]);
        break;
      case 2:
        if (below(4) == 0) bytes.resize(at);
        break;
      case 3:
        bytes.erase(place, end);
        break;
      default: {
        const std::vector<std::byte> repeated(place, end);
        bytes.insert(place, repeated.begin(), repeated.end());
      }
    }
  }
  return bytes;
}

/// Decodes a part of the damaged image or says that it cannot; anything else is a failure.
void decode_damaged(const std::vector<std::byte>& bytes, std::mt19937& random) {
  // Exactly its size on the heap, so that the address sanitizer sees each byte read outside.
  const std::unique_ptr<std::byte[]> copy(new std::byte[bytes.size()]);
  std::ranges::copy(bytes, copy.get());
  try {
    const EncodedImage encoded({copy.get(), bytes.size()},
                               {.limits = {.max_pixels = 1 << 20},
                                .orientation = DecodeOptions::Orientation::from_exif,
                                .channels = random() % 2 == 0 ? 1 : 3});
    const ImageInfo& info = encoded.info();
    Image image;
    encoded.decode(image);
    CHECK(image.height() == info.height);
    const int top = static_cast<int>(random() % info.height), left = static_cast<int>(random() % info.width);
    encoded.decode_crop({top, left, info.height - top, info.width - left}, image);
    CHECK(image.width() == info.width - left);
  } catch (const InputError& error) {
    CHECK(std::string_view(error.what()).starts_with("[images] "));
  }
}

/// Mutates each file of at most 'longest' bytes so often.
void mutate_files(int times, std::size_t longest) {
  std::mt19937 random(11);
  int files = 0;
  for (const auto& file : image_files()) {
    const auto bytes = file_bytes(file);
    if (bytes.size() > longest) continue;
    CAPTURE(file);
    for (int i = 0; i < times; ++i) decode_damaged(mutated(bytes, random), random);
    ++files;
  }
  CHECK(files >= 5);
}

}  // namespace

TEST_CASE("decode: damaged images decode or are refused, and never crash") {
  mutate_files(8, 7000);
}

TEST_CASE("decode: damaged images of all sizes never crash", "[.slow]") {
  mutate_files(400, 60000);
}
