#pragma once

#include <span>

#include "data/images/image.h"
#include "data/preprocess/sample_context.h"
#include "data/preprocess/sample_random.h"

namespace fastnn {

/// A closed range of positive numbers.
struct PositiveRange {
  float low;
  float high;
};

/// The defaults are those of TF-Slim's inception preprocessing.
struct DistortedBoxOptions {
  /// Width over height of the crop, uniform in this range.
  PositiveRange aspect{0.75F, 1.33F};
  /// Area of the crop, in units of the image's.
  PositiveRange area{0.05F, 1.0F};
  /// A crop must cover at least this part of one of the boxes; above 0.
  float min_object_covered = 0.1F;
  int max_attempts = 100;
};

/// A random crop of an image, with the algorithm and so the distribution of TensorFlow's
/// sample_distorted_bounding_box: aspect r uniform; height a uniform integer of [sqrt(min_area / r),
/// sqrt(max_area / r)], both rounded and lowered to what fits the image; width = round(height * r); offsets
/// uniform integers, where the last possible offset is never drawn; tried again while the crop covers too
/// little of every box; after max_attempts the whole image. Boxes are rounded down to pixels, those without a
/// pixel count for nothing. Without boxes the whole image is the box.
/// The crop lies inside the image and has a pixel at least. Throws InputError for a box that is not within
/// 0 .. 1 or whose minimum is above its maximum.
Rectangle sample_distorted_bounding_box(int height, int width, std::span<const ObjectBox> boxes,
                                        const DistortedBoxOptions& options, SampleRandom& random);

}  // namespace fastnn
