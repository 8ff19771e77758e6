#pragma once

#include <cstddef>
#include <span>

#include "data/images/formats.h"

namespace fastnn {

/// Throws InputError for headers older than Windows 3 (12 bytes) and those cut short.
ImageHeader read_bmp_header(std::span<const std::byte> encoded);

/// Decodes a part of an uncompressed BMP of 1, 4 or 8 bits with a palette, 24 bits, or 32 bits in the usual
/// order, stored from the bottom up or from the top down; alpha is dropped. TensorFlow's decode_bmp gives the
/// same pixels for 24 bits and takes neither palettes nor, to 3 channels, 32 bits. Throws InputError when the
/// data are compressed, of another depth or cut short.
void decode_bmp(std::span<const std::byte> encoded, const DecodeRequest& request, Image& out);

}  // namespace fastnn
