#include "data/preprocess/crop_or_pad.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

/// "small255" of the golden file: [6, 5, 3].
Image golden_image() {
  Image image(6, 5, 3);
  for (std::size_t i = 0; i < image.pixels().size(); ++i)
    image.pixels()[i] = static_cast<std::uint8_t>(
        std::clamp(256 * static_cast<float>(0.5 + 0.5 * golden_uniform("img", i)), 0.0F, 255.0F));
  return image;
}

}  // namespace

TEST_CASE("golden: crop_or_pad gives TensorFlow's pixels for every pair of sizes") {
  const auto golden = golden_json("preprocessing/deterministic_ops.json");
  int compared = 0;
  for (const auto& row : golden["cases"]) {
    const std::string name = row["case"];
    if (!name.starts_with("crop_or_pad_6x5")) continue;
    CAPTURE(name);
    const Image result = crop_or_pad(golden_image(), row["params"]["size"][0], row["params"]["size"][1]);
    const auto expected = row["values"].get<std::vector<double>>();
    CHECK(std::ranges::equal(result.pixels(), expected));
    ++compared;
  }
  CHECK(compared == 7);
}
