#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/images/formats.h"

namespace fastnn {

ImageHeader read_png_header(std::span<const std::byte> encoded);

/// Decodes a part of a PNG of any colour type, depth and interlacing exactly as TensorFlow's
/// decode_png(channels=3): gray is replicated, a palette expanded, alpha (tRNS too) dropped and not blended,
/// 16 bits cut to the high byte, gamma ignored.
/// Throws InputError, with libpng's own words, when the data are damaged or cut short.
void decode_png(std::span<const std::byte> encoded, const DecodeRequest& request, Image& out);

/// Encodes an image of 1 or 3 channels as an 8-bit gray or RGB PNG with libpng's own filter choice and zlib
/// level 6: the bytes TensorFlow's encode_png gives, and the same on every run.
/// Throws UsageError for an empty image or another number of channels.
std::vector<std::byte> encode_png(const Image& image);

}  // namespace fastnn
