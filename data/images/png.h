#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/images/decode.h"

namespace fastnn {

/// Decodes a PNG of any colour type, depth and interlacing to [H, W, 3] exactly as TensorFlow's
/// decode_png(channels=3): gray is replicated, a palette expanded, alpha (tRNS too) dropped and not blended,
/// 16 bits cut to the high byte, gamma ignored.
/// Throws InputError, with libpng's own words, when the data are damaged, cut short or beyond the limits.
Image decode_png(std::span<const std::byte> encoded, const DecodeLimits& limits);

/// Encodes an image of 1 or 3 channels as an 8-bit gray or RGB PNG with libpng's own filter choice and zlib
/// level 6: the bytes TensorFlow's encode_png gives, and the same on every run.
/// Throws UsageError for an empty image or another number of channels.
std::vector<std::byte> encode_png(const Image& image);

}  // namespace fastnn
