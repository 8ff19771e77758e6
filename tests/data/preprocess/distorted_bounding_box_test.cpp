#include "data/preprocess/distorted_bounding_box.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "engine/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

std::vector<Rectangle> draw_crops(int height, int width, int count, std::span<const ObjectBox> boxes = {}) {
  std::vector<Rectangle> crops;
  for (int i = 0; i < count; ++i) {
    SampleRandom random({.seed = 7, .position = i}, "crop");
    crops.push_back(sample_distorted_bounding_box(height, width, boxes, {}, random));
  }
  return crops;
}

/// Every tenth part of the sorted values, from the least to the greatest.
template <class Value>
std::vector<double> deciles(const std::vector<Rectangle>& crops, Value value) {
  std::vector<double> values;
  for (const Rectangle& crop : crops) values.push_back(value(crop));
  std::ranges::sort(values);
  std::vector<double> result;
  for (std::size_t k = 0; k <= 10; ++k) result.push_back(values[k * (values.size() - 1) / 10]);
  return result;
}

/// The extremes of the golden figures are single draws, so they are left out.
void check_deciles(const std::vector<double>& actual, const nlohmann::json& expected, double margin) {
  for (std::size_t k = 1; k < 10; ++k) {
    CAPTURE(k);
    CHECK(actual[k] == Approx(expected[k].get<double>()).margin(margin));
  }
}

bool is_whole(const Rectangle& crop, int height, int width) {
  return crop == Rectangle{.height = height, .width = width};
}

}  // namespace

TEST_CASE("golden: distorted boxes have TensorFlow's distribution of area, aspect, extents and offsets") {
  if (!has_golden("preprocessing/distorted_bounding_box.json")) return;
  const auto golden = golden_json("preprocessing/distorted_bounding_box.json");
  for (const auto& row : golden["cases"]) {
    const int height = row["height"], width = row["width"];
    const auto& expected = row["tensorflow"];
    CAPTURE(height, width);
    const auto crops = draw_crops(height, width, 20000);
    check_deciles(
        deciles(crops, [&](const Rectangle& c) { return double(c.height) * c.width / height / width; }),
        expected["area_fraction_deciles_0_100"], 0.02);
    check_deciles(deciles(crops, [](const Rectangle& c) { return double(c.width) / c.height; }),
                  expected["aspect_w_over_h_deciles_0_100"], 0.02);
    check_deciles(deciles(crops, [](const Rectangle& c) { return c.height; }), expected["height_deciles"],
                  std::max(1.0, 0.02 * height));
    check_deciles(deciles(crops, [](const Rectangle& c) { return c.width; }), expected["width_deciles"],
                  std::max(1.0, 0.02 * width));
    const auto offset = [](int first, int size, int extent) {
      return size < extent ? double(first) / (extent - size) : 0.0;
    };
    check_deciles(deciles(crops, [&](const Rectangle& c) { return offset(c.top, c.height, height); }),
                  expected["y_over_free_height_deciles"], 0.03);
    check_deciles(deciles(crops, [&](const Rectangle& c) { return offset(c.left, c.width, width); }),
                  expected["x_over_free_width_deciles"], 0.03);
    const auto last_offset = [&](const Rectangle& c) {
      return c.height < height && c.top == height - c.height;
    };
    CHECK(std::ranges::count_if(crops, last_offset) == 0);
  }
}

TEST_CASE("distorted box: crops lie inside images of every size, even one pixel") {
  for (const int height : {1, 2, 3, 7, 500})
    for (const int width : {1, 2, 5, 64, 3000})
      for (const Rectangle& crop : draw_crops(height, width, 200)) {
        CAPTURE(height, width, crop.top, crop.left, crop.height, crop.width);
        REQUIRE(crop.top >= 0);
        REQUIRE(crop.left >= 0);
        REQUIRE(crop.height >= 1);
        REQUIRE(crop.width >= 1);
        REQUIRE(crop.top + crop.height <= height);
        REQUIRE(crop.left + crop.width <= width);
      }
}

TEST_CASE("distorted box: a crop covers a tenth of one of the record's boxes, or is the whole image") {
  const ObjectBox boxes[] = {{.ymin = 0, .xmin = 0, .ymax = 0.1F, .xmax = 0.1F},
                             {.ymin = 0.8F, .xmin = 0.7F, .ymax = 0.9F, .xmax = 1}};
  const auto covered = [](const Rectangle& crop, int top, int left, int bottom, int right) {
    const int height = std::min(crop.top + crop.height, bottom) - std::max(crop.top, top);
    const int width = std::min(crop.left + crop.width, right) - std::max(crop.left, left);
    return double(std::max(height, 0)) * std::max(width, 0) / ((bottom - top) * (right - left));
  };
  int moved = 0;
  for (const Rectangle& crop : draw_crops(200, 300, 2000, boxes)) {
    const double best = std::max(covered(crop, 0, 0, 20, 30), covered(crop, 160, 210, 180, 300));
    REQUIRE(best >= 0.0999);
    moved += !is_whole(crop, 200, 300);
  }
  CHECK(moved > 1900);
  int missed = 0;
  for (const Rectangle& crop : draw_crops(200, 300, 2000))
    missed += std::max(covered(crop, 0, 0, 20, 30), covered(crop, 160, 210, 180, 300)) < 0.1;
  CHECK(missed > 200);
}

TEST_CASE("distorted box: boxes without a pixel give the whole image") {
  const ObjectBox boxes[] = {{.ymin = 0.5F, .xmin = 0.5F, .ymax = 0.5F, .xmax = 0.9F}};
  for (const Rectangle& crop : draw_crops(100, 100, 20, boxes)) CHECK(is_whole(crop, 100, 100));
}

TEST_CASE("distorted box: a box outside the image, turned round or no number is refused") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const ObjectBox& box : {ObjectBox{.ymin = -0.1F, .xmin = 0, .ymax = 1, .xmax = 1},
                               ObjectBox{.ymin = 0, .xmin = 0, .ymax = 1, .xmax = 1.5F},
                               ObjectBox{.ymin = 0.5F, .xmin = 0, .ymax = 0.4F, .xmax = 1},
                               ObjectBox{.ymin = 0, .xmin = nan, .ymax = 1, .xmax = 1}}) {
    CHECK_THROWS_AS(draw_crops(10, 10, 1, {&box, 1}), InputError);
    CHECK_THROWS_WITH(draw_crops(10, 10, 1, {&box, 1}),
                      Contains("0 <= ymin <= ymax <= 1") && Contains("image/object/bbox"));
  }
}
