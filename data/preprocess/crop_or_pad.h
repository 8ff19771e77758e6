#pragma once

#include "data/images/image.h"

namespace fastnn {

/// The middle of the image, cut or surrounded by zeros to height x width: per axis the crop starts at
/// (n - size) / 2 and the padding before is (size - n) / 2, both rounded down, as TensorFlow's
/// resize_image_with_crop_or_pad does.
Image crop_or_pad(const Image& image, int height, int width);

}  // namespace fastnn
