#pragma once

#include <cstddef>
#include <span>

#include "data/images/formats.h"

namespace fastnn {

/// The extents of a GIF are those of its logical screen.
ImageHeader read_gif_header(std::span<const std::byte> encoded);

/// Decodes a part of the first frame of a GIF, as TensorFlow's decode_gif does: what the frame leaves free of
/// the screen, and its transparent pixels, are black. Frames after the first are not read. Throws InputError,
/// with giflib's own words, when there is no frame, when it has no colours, and when the data are damaged or
/// cut short.
void decode_gif(std::span<const std::byte> encoded, const DecodeRequest& request, Image& out);

}  // namespace fastnn
