#include "data/images/encoded_image.h"

#include "data/images/decode.h"
#include "data/images/png.h"
#include "engine/base/error.h"
#include "tests/data/images/corpus.h"
#include "tests/data/images/random_parts.h"
#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

std::vector<std::byte> sample_file(const char* name) {
  return file_bytes(sample_dir() / "preprocessing/images" / name);
}

}  // namespace

TEST_CASE("encoded image: a part equals that part of the whole, for every file, transform and orientation") {
  using Orientation = DecodeOptions::Orientation;
  std::mt19937 random(7);
  int compared = 0;
  for (const auto& file : image_files())
    for (const auto& options :
         {DecodeOptions{.jpeg_dct = JpegDct::fast}, DecodeOptions{},
          DecodeOptions{.orientation = Orientation::from_exif}, DecodeOptions{.channels = 1}}) {
      CAPTURE(file);
      compared += compare_parts(file_bytes(file), options, 6, random);
    }
  CHECK(compared >= (decoder_folder().empty() ? 8 : 228) * 4 * 6);
}

TEST_CASE("encoded image: the header tells extents and format without decoding") {
  const auto bytes = sample_file("flower_wide.jpg");
  const auto start = std::span(bytes).first(2000);
  const EncodedImage jpeg(start, {});
  const Image whole = decode_image(bytes);
  CHECK(jpeg.info().height == whole.height());
  CHECK(jpeg.info().width == whole.width());
  CHECK(jpeg.info().channels == 3);
  CHECK(jpeg.info().format == "jpeg");
  Image image;
  CHECK_THROWS_AS(jpeg.decode(image), InputError);
}

TEST_CASE("encoded image: the buffer of the image is used again") {
  const auto big = encode_png(ramp_image(40, 30, 3));
  const auto small = encode_png(ramp_image(4, 6, 3));
  Image image;
  EncodedImage(big, {}).decode(image);
  const auto* buffer = image.pixels().data();
  EncodedImage(small, {}).decode(image);
  CHECK(image.pixels().data() == buffer);
  CHECK(same_image(image, ramp_image(4, 6, 3)));
}

TEST_CASE("encoded image: a part that is empty or not inside is the caller's mistake") {
  const auto bytes = encode_png(ramp_image(4, 6, 3));
  const EncodedImage encoded(bytes, {});
  Image image;
  for (const Rectangle& crop : {Rectangle{0, 0, 0, 6}, Rectangle{0, 0, 4, 0}, Rectangle{-1, 0, 2, 2},
                                Rectangle{0, -1, 2, 2}, Rectangle{3, 0, 2, 2}, Rectangle{0, 5, 2, 2}})
    CHECK_THROWS_AS(encoded.decode_crop(crop, image), UsageError);
  CHECK_THROWS_WITH(encoded.decode_crop({3, 1, 2, 5}, image),
                    Contains("2 x 5 pixels at row 3, column 1 is not inside the png of 4 x 6"));
}

TEST_CASE("encoded image: one channel is luma, the same for gray pixels, two are refused") {
  const auto gray = encode_png(ramp_image(4, 6, 1));
  CHECK(same_image(decode_image(gray, {.channels = 1}), ramp_image(4, 6, 1)));
  const auto rgb = encode_png(ramp_image(4, 6, 3));
  const Image colours = ramp_image(4, 6, 3);
  const Image luma = decode_image(rgb, {.channels = 1});
  REQUIRE(luma.channels() == 1);
  for (std::size_t i = 0; i < luma.pixels().size(); ++i) {
    const auto pixel = colours.pixels().subspan(3 * i, 3);
    CHECK(std::abs(luma.pixels()[i] - (0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2])) <= 0.51);
  }
  CHECK_THROWS_AS(decode_image(rgb, {.channels = 2}), UsageError);
  CHECK_THROWS_WITH(decode_image(rgb, {.channels = 2}), Contains("1 or 3 channels, not to 2"));
}

TEST_CASE("encoded image: EXIF orientations turn a JPEG only when asked") {
  const auto upright = sample_file("flower_wide.jpg");
  const Image stored = decode_image(upright);
  const int height = stored.height(), width = stored.width();
  // Where the pixel of the stored image's first row and column, and that of its last column, are shown.
  struct Corner {
    bool bottom, right;
  };
  const std::pair<Corner, Corner> kCorners[] = {{{0, 0}, {0, 1}}, {{0, 1}, {0, 0}}, {{1, 1}, {1, 0}},
                                                {{1, 0}, {1, 1}}, {{0, 0}, {1, 0}}, {{0, 1}, {1, 1}},
                                                {{1, 1}, {0, 1}}, {{1, 0}, {0, 0}}};
  for (int orientation = 1; orientation <= 8; ++orientation) {
    CAPTURE(orientation);
    const auto bytes = with_orientation(upright, orientation);
    CHECK(same_image(decode_image(bytes), stored));
    const Image turned = decode_image(bytes, {.orientation = DecodeOptions::Orientation::from_exif});
    CHECK(turned.height() == (orientation > 4 ? width : height));
    CHECK(turned.width() == (orientation > 4 ? height : width));
    const auto shown = [&](const Corner& corner) {
      const auto row = turned.row(corner.bottom ? turned.height() - 1 : 0);
      return corner.right ? row.last(3) : row.first(3);
    };
    const auto& [first, last] = kCorners[orientation - 1];
    CHECK(std::ranges::equal(shown(first), stored.row(0).first(3)));
    CHECK(std::ranges::equal(shown(last), stored.row(0).last(3)));
  }
}
