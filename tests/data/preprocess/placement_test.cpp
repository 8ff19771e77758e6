#include "data/preprocess/placement.h"

#include <algorithm>

#include "data/preprocess/image_source.h"
#include "tests/data/preprocess/golden_pixels.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

std::vector<float> placed(const Image& image, const Placement& placement, int height, int width) {
  std::vector<float> target(std::size_t(height) * width * 3);
  Image part;
  PixelSource(image).decode_crop(placement.source, part);
  place(part, placement, width, target);
  return target;
}

}  // namespace

TEST_CASE("golden: crop_or_pad gives TensorFlow's pixels for every pair of sizes") {
  for (const auto& row : golden_operations("crop_or_pad_6x5")) {
    CAPTURE(row["case"].get<std::string>());
    const int height = row["params"]["size"][0], width = row["params"]["size"][1];
    check_golden(placed(golden_small255(), crop_or_pad(6, 5, height, width), height, width), row, 0);
  }
}

TEST_CASE("window: every window over an image holds its pixels, and zeros outside") {
  const Image image = ramp_image(3, 4, 3);
  for (int top = -4; top <= 4; ++top)
    for (int left = -4; left <= 5; ++left) {
      CAPTURE(top, left);
      const Placement placement = window(3, 4, {.top = top, .left = left, .height = 3, .width = 2});
      const bool apart = top <= -3 || top >= 3 || left <= -2 || left >= 4;
      REQUIRE((placement.source.height == 0 || placement.source.width == 0) == apart);
      if (apart) continue;
      const auto values = placed(image, placement, 3, 2);
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 2; ++x) {
          const int row = top + y, column = left + x;
          const bool inside = row >= 0 && row < 3 && column >= 0 && column < 4;
          REQUIRE(values[std::size_t(y * 2 + x) * 3] ==
                  (inside ? image.pixels()[std::size_t(row * 4 + column) * 3] : 0));
        }
    }
}
