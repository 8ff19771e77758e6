#pragma once

#include <span>

#include "data/images/image.h"

namespace fastnn {

/// Where a part of an image lands in a result surrounded by zeros: the pixels of 'source' stand at row 'top',
/// column 'left' of the result.
struct Placement {
  Rectangle source;
  int top = 0;
  int left = 0;
};

/// The middle of a height x width image, cut or surrounded by zeros to target_height x target_width: per axis
/// the crop starts at (n - size) / 2 and the padding before is (size - n) / 2, both rounded down, as
/// TensorFlow's resize_image_with_crop_or_pad does.
Placement crop_or_pad(int height, int width, int target_height, int target_width);

/// The pixels of a window over a height x width image, which may reach beyond the image on every side; the
/// source is empty if they share none.
Placement window(int height, int width, const Rectangle& window);

/// Writes the pixels of 'part' (placement.source of an image), values 0 .. 255, to their place in 'target',
/// [target_height, target_width, channels], and leaves the rest as it is.
void place(const Image& part, const Placement& placement, int target_width, std::span<float> target);

}  // namespace fastnn
