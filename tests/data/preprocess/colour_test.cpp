#include "data/preprocess/colour.h"

#include <algorithm>
#include <optional>

#include "data/preprocess/inception.h"
#include "data/preprocess/statistics.h"
#include "tests/data/preprocess/golden_pixels.h"

using namespace fastnn;
using namespace fastnn::tests;
using enum ColourStep;

namespace {

using Steps = std::vector<ColourStep>;

/// What a golden case does, by its name without "_flower".
std::optional<Steps> steps_of(const std::string& name) {
  for (int order = 0; order < 4; ++order)
    if (name.starts_with("inception_color_full_order" + std::to_string(order))) {
      const auto steps = inception_colour_steps(order);
      return Steps(steps.begin(), steps.end());
    }
  const std::pair<const char*, Steps> kSteps[] = {
      {"brightness_", {brightness}},
      {"saturation_", {saturation}},
      {"hue_", {hue}},
      {"contrast_", {contrast}},
      {"inception_color_fast_order0", {brightness, saturation, clip_and_centre}},
      {"inception_color_fast_order1", {saturation, brightness, clip_and_centre}},
      {"inception_color_darker_then_saturate", {brightness, saturation}},
  };
  for (const auto& [prefix, steps] : kSteps)
    if (name.starts_with(prefix)) return steps;
  return {};
}

ColourChange change_of(const nlohmann::json& params, ColourStep only) {
  if (params.contains("delta"))
    return only == hue ? ColourChange{.hue = params["delta"]} : ColourChange{.brightness = params["delta"]};
  if (params.contains("factor"))
    return only == contrast ? ColourChange{.contrast = params["factor"]}
                            : ColourChange{.saturation = params["factor"]};
  return {.brightness = params["brightness"],
          .saturation = params["saturation"],
          .hue = params.value("hue", 0.0F),
          .contrast = params.value("contrast", 1.0F)};
}

std::vector<float> input_of(const nlohmann::json& row) {
  if (row["input"] == "small") return golden_small();
  const Image image = golden_image(row["input"]);
  std::vector<float> values(image.pixels().begin(), image.pixels().end());
  for (float& value : values) value *= 1.0F / 255;
  return values;
}

/// Compares all cases of an input.
void compare_cases(bool small, double tolerance) {
  for (const auto& row : golden_operations("")) {
    const auto steps = steps_of(row["case"]);
    if (!steps || (row["input"] == "small") != small) continue;
    CAPTURE(row["case"].get<std::string>());
    auto values = input_of(row);
    distort_colour(values, *steps, change_of(row["params"], steps->front()));
    check_golden(values, row, tolerance);
  }
}

/// Through hue, saturation and value and back, in double.
std::array<double, 3> saturated_by_hsv(const float* rgb, double factor) {
  const double r = rgb[0], g = rgb[1], b = rgb[2];
  const double v = std::max({r, g, b}), range = v - std::min({r, g, b});
  const double s = v > 0 ? std::min(1.0, range / v * factor) : 0;
  double h = range <= 0 ? 0 : v == r ? (g - b) / range : v == g ? 2 + (b - r) / range : 4 + (r - g) / range;
  if (h < 0) h += 6;
  std::array<double, 3> out{};
  for (int c = 0; c < 3; ++c) {
    const double k = std::fmod(5 - 2 * c + h, 6);
    out[c] = v - v * s * std::clamp(std::min(k, 4 - k), 0.0, 1.0);
  }
  return out;
}

}  // namespace

TEST_CASE("golden: every colour step and order gives TensorFlow's values for a small image") {
  compare_cases(true, 2e-6);
}

TEST_CASE("golden: every colour step and order gives TensorFlow's values for a photograph") {
  compare_cases(false, 1e-5);
}

TEST_CASE("colour: saturation without HSV equals the way through HSV, for negative values too") {
  for (const float factor : {0.0F, 0.5F, 1.0F, 1.49F, 3.0F}) {
    std::vector<float> pixels;
    for (const double u : golden_values("saturation", 3000)) pixels.push_back(float(0.3 + 0.7 * u));
    const auto before = pixels;
    constexpr ColourStep kStep[] = {saturation};
    distort_colour(pixels, kStep, {.saturation = factor});
    double worst = 0;
    for (std::size_t i = 0; i < pixels.size(); i += 3) {
      const auto expected = saturated_by_hsv(&before[i], factor);
      for (std::size_t c = 0; c < 3; ++c) worst = std::max(worst, std::abs(pixels[i + c] - expected[c]));
    }
    CAPTURE(factor);
    CHECK(worst < 1e-6);
  }
}

TEST_CASE("colour: steps that change nothing leave gray, black, white and other pixels as they are") {
  const std::vector<float> pixels{0, 0, 0, 1, 1, 1, 0.5F, 0.5F, 0.5F, 1, 0, 0, 0.25F, 0.5F, 0.75F, 0, 1, 1};
  constexpr ColourStep kSteps[] = {brightness, saturation, hue};
  auto values = pixels;
  distort_colour(values, kSteps, {});
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == Approx(pixels[i]).margin(1e-6));
}

TEST_CASE("colour: a third of a turn rotates the channels, gray stays gray") {
  std::vector<float> values{1, 0, 0, 0.2F, 0.7F, 0.4F, 0.3F, 0.3F, 0.3F};
  constexpr ColourStep kSteps[] = {hue};
  distort_colour(values, kSteps, {.hue = 1.0F / 3});
  const std::vector<float> expected{0, 1, 0, 0.4F, 0.2F, 0.7F, 0.3F, 0.3F, 0.3F};
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == Approx(expected[i]).margin(1e-6));
}

TEST_CASE("colour: contrast takes the means of all pixels, whatever their number") {
  for (const std::size_t count : {1U, 2U, 511U, 512U, 513U, 1025U, 5000U}) {
    CAPTURE(count);
    std::vector<float> values;
    for (const double u : golden_values("contrast", std::int64_t(count) * 3)) values.push_back(float(u));
    double means[3] = {};
    for (std::size_t i = 0; i < values.size(); ++i) means[i % 3] += values[i] / double(count);
    auto stretched = values;
    constexpr ColourStep kSteps[] = {contrast};
    distort_colour(stretched, kSteps, {.contrast = 1.5F});
    double worst = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      worst = std::max(worst, std::abs((values[i] - means[i % 3]) * 1.5 + means[i % 3] - stretched[i]));
    CHECK(worst < 1e-6);
  }
}

TEST_CASE("golden: standardisation gives TensorFlow's values, down to its floor") {
  for (const auto& row : golden_operations("standardize")) {
    const std::string name = row["case"];
    CAPTURE(name);
    const Image small = golden_small255();
    std::vector<float> values(small.pixels().begin(), small.pixels().end());
    if (name == "standardize_constant") std::ranges::fill(values, 7.0F);
    if (name == "standardize_nearly_constant")
      for (float& value : values) value *= 1e-4F;
    standardize(values);
    check_golden(values, row, 2e-6);
  }
}

TEST_CASE("golden: cifarnet's training steps with fixed numbers give TensorFlow's values") {
  for (const auto& row : golden_operations("cifar_train_fixed")) {
    const Image small = golden_small255();
    std::vector<float> values(small.pixels().begin(), small.pixels().end());
    constexpr ColourStep kSteps[] = {brightness, contrast};
    distort_colour(values, kSteps,
                   {.brightness = row["params"]["brightness"], .contrast = row["params"]["contrast"]});
    standardize(values);
    check_golden(values, row, 2e-6);
  }
}
