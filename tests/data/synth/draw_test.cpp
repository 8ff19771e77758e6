#include "data/synth/draw.h"

#include <algorithm>
#include <array>

#include "data/synth/random.h"
#include "data/synth/shapes.h"
#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"

using namespace fastnn;
using namespace fastnn::tests;

TEST_CASE("shapes: the first pictures of seed 1 are the same on every machine") {
  std::uint32_t checksum = 0;
  for (int i = 0; i < 20; ++i) {
    const ShapesSample sample = draw_shapes_sample(1, "train", i);
    checksum = checksum * 31 + plain_crc32c(sample.image.pixels()) + std::uint32_t(sample.label);
  }
  CHECK(checksum == 0x3deb3b52U);
}

TEST_CASE("shapes: a sample depends on seed, split and index, and on nothing else") {
  const auto pixels = [](std::uint64_t seed, const char* split, int index) {
    return plain_crc32c(draw_shapes_sample(seed, split, index).image.pixels());
  };
  CHECK(pixels(1, "train", 5) == pixels(1, "train", 5));
  CHECK(pixels(1, "train", 5) != pixels(2, "train", 5));
  CHECK(pixels(1, "train", 5) != pixels(1, "validation", 5));
  CHECK(pixels(1, "train", 5) != pixels(1, "train", 6));
}

TEST_CASE("shapes: each ten consecutive samples hold each class once, in varying order") {
  std::array<int, 10> first{}, second{};
  for (int i = 0; i < 10; ++i) {
    first[i] = draw_shapes_sample(1, "train", i).label;
    second[i] = draw_shapes_sample(1, "train", 10 + i).label;
  }
  CHECK(first != second);
  std::ranges::sort(first);
  for (int i = 0; i < 10; ++i) CHECK(first[i] == i);
}

TEST_CASE("shapes: every class is inside the unit circle, has area and differs from all others") {
  const auto classes = shape_classes();
  REQUIRE(classes.size() == 10);
  std::vector<std::vector<bool>> masks;
  for (const ShapeClass& shape : classes) {
    CAPTURE(shape.name);
    std::vector<bool> mask;
    for (int i = 0; i < 60 * 60; ++i) {
      const Point p{(i % 60 - 29.5) / 25, (i / 60 - 29.5) / 25};
      mask.push_back(shape.contains(p));
      if (p.x * p.x + p.y * p.y > 1.1) CHECK_FALSE(mask.back());
    }
    const auto area = std::ranges::count(mask, true);
    CHECK(area > 400);
    CHECK(area < 2000);
    CHECK(std::ranges::find(masks, mask) == masks.end());
    masks.push_back(mask);
  }
}

TEST_CASE("shapes: random numbers keep to their range and have the variance they state") {
  SampleRandom random(7, "test", 0);
  double sum = 0, squares = 0;
  std::array<int, 3> counts{};
  const int draws = 20000;
  for (int i = 0; i < draws; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
    const double uniform = random.uniform(-2, 3);
    REQUIRE((uniform >= -2 && uniform < 3));
    ++counts.at(random.below(3));
  }
  CHECK(std::abs(sum / draws) < 0.03);
  CHECK(std::abs(squares / draws - 1) < 0.05);
  for (const int count : counts) CHECK(std::abs(count - draws / 3) < 300);
}
