#include "data/preprocess/distorted_bounding_box.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/base/error.h"

namespace fastnn {
namespace {

int rounded(float value) {
  return static_cast<int>(std::lrint(value));
}

/// The greatest height whose width, height * aspect rounded, is at most 'width'.
int tallest_of_width(int width, float aspect) {
  const auto height = static_cast<int>((static_cast<float>(width) + 0.5F - 1e-7F) / aspect);
  return rounded(static_cast<float>(height) * aspect) > width ? height - 1 : height;
}

/// Extents of a crop of the given aspect, one random height; nothing if rounding leaves the range of areas.
class CropSize {
 public:
  CropSize(int image_height, int image_width, const PositiveRange& area, float aspect)
      : image_height_(image_height), image_width_(image_width), aspect_(aspect) {
    const float pixels = static_cast<float>(image_height) * static_cast<float>(image_width);
    least_ = area.low * pixels;
    most_ = area.high * pixels;
  }

  std::optional<Rectangle> draw(SampleRandom& random) const {
    int tallest = rounded(std::sqrt(most_ / aspect_));
    if (width_of(tallest) > image_width_) tallest = tallest_of_width(image_width_, aspect_);
    tallest = std::min(tallest, image_height_);
    const int lowest = std::min(rounded(std::sqrt(least_ / aspect_)), tallest);
    int height = lowest + random.below(tallest - lowest + 1);
    if (area_of(height) < least_) ++height;
    if (area_of(height) > most_) --height;
    if (!allowed(height)) return {};
    return Rectangle{.height = height, .width = width_of(height)};
  }

 private:
  int width_of(int height) const { return rounded(static_cast<float>(height) * aspect_); }
  float area_of(int height) const {
    return static_cast<float>(height) * static_cast<float>(width_of(height));
  }
  bool allowed(int height) const {
    const float area = area_of(height);
    return area >= least_ && area <= most_ && height >= 1 && height <= image_height_ &&
           width_of(height) >= 1 && width_of(height) <= image_width_;
  }

  int image_height_, image_width_;
  float aspect_;
  float least_ = 0, most_ = 0;
};

int offset_of(int extent, int size, SampleRandom& random) {
  return size < extent ? random.below(extent - size) : 0;
}

int overlap(int first, int end, int other_first, int other_end) {
  return std::max(0, std::min(end, other_end) - std::max(first, other_first));
}

float covered_part(const ObjectBox& box, const Rectangle& crop, int height, int width) {
  const auto pixel = [](float part, int extent) {
    return static_cast<int>(part * static_cast<float>(extent));
  };
  const int top = pixel(box.ymin, height), bottom = pixel(box.ymax, height);
  const int left = pixel(box.xmin, width), right = pixel(box.xmax, width);
  const float area = static_cast<float>(bottom - top) * static_cast<float>(right - left);
  if (area < 1) return 0;
  const int covered_height = overlap(top, bottom, crop.top, crop.top + crop.height);
  const int covered_width = overlap(left, right, crop.left, crop.left + crop.width);
  return static_cast<float>(covered_height) * static_cast<float>(covered_width) / area;
}

void check(const ObjectBox& box) {
  const auto is_range = [](float low, float high) { return 0 <= low && low <= high && high <= 1; };
  if (!is_range(box.ymin, box.ymax) || !is_range(box.xmin, box.xmax))
    throw InputError(
        "[preprocess] a box needs 0 <= ymin <= ymax <= 1 and 0 <= xmin <= xmax <= 1, got ymin {}, xmin {}, ymax {}, xmax {}; correct image/object/bbox/* or leave it out",
        box.ymin, box.xmin, box.ymax, box.xmax);
}

}  // namespace

Rectangle sample_distorted_bounding_box(int height, int width, std::span<const ObjectBox> boxes,
                                        const DistortedBoxOptions& options, SampleRandom& random) {
  const ObjectBox whole{.ymin = 0, .xmin = 0, .ymax = 1, .xmax = 1};
  for (const ObjectBox& box : boxes) check(box);
  if (boxes.empty()) boxes = {&whole, 1};
  for (int attempt = 0; attempt < options.max_attempts; ++attempt) {
    const float aspect = random.uniform(options.aspect.low, options.aspect.high);
    auto crop = CropSize(height, width, options.area, aspect).draw(random);
    if (!crop) continue;
    crop->top = offset_of(height, crop->height, random);
    crop->left = offset_of(width, crop->width, random);
    const auto covers_enough = [&](const ObjectBox& box) {
      return covered_part(box, *crop, height, width) >= options.min_object_covered;
    };
    if (std::ranges::any_of(boxes, covers_enough)) return *crop;
  }
  return {.height = height, .width = width};
}

}  // namespace fastnn
