#pragma once

#include <cstddef>
#include <span>

#include "data/images/formats.h"

namespace fastnn {

/// Walks the markers of a JPEG up to its frame header: the extents, and the orientation of the first EXIF
/// block. Throws InputError if there is no frame header.
ImageHeader read_jpeg_header(std::span<const std::byte> encoded);

/// The orientation (1..8) in the TIFF structure of an EXIF block, the bytes after "Exif\0\0"; 1 if there is
/// none or the structure is damaged. Reads the first image directory only.
int exif_orientation(std::span<const std::byte> tiff);

}  // namespace fastnn
