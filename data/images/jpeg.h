#pragma once

#include <cstddef>
#include <span>

#include "data/images/formats.h"

namespace fastnn {

/// Decodes a part of a JPEG (baseline, progressive or arithmetic, 8 bits; gray, YCbCr, RGB, CMYK or YCCK,
/// with any subsampling) exactly as TensorFlow's decode_jpeg(channels=3) does: fancy upsampling; CMYK becomes
/// RGB as r = k * c / 255 of the inverted values that an Adobe marker announces, (255 - k) * (255 - c) / 255
/// without one. libjpeg's warnings (say, of corrupt entropy data) are no errors, data that end early are.
/// Only the blocks that the part needs are transformed. With one channel, luma where the colours allow it.
/// Throws InputError, with libjpeg's own words, and when a progressive image has more than 500 scans.
void decode_jpeg(std::span<const std::byte> encoded, const DecodeRequest& request, Image& out);

}  // namespace fastnn
