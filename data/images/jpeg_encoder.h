#pragma once

#include <cstddef>
#include <vector>

#include "data/images/image.h"

namespace fastnn {

/// The image as a baseline JPEG in colour, chroma halved in both directions (4:2:0), of libjpeg's quality 1
/// .. 100. Throws UsageError unless the image has 3 channels and a pixel, and for another quality.
std::vector<std::byte> encode_jpeg(const Image& image, int quality);

}  // namespace fastnn
