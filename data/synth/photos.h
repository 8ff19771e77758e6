#pragma once

#include <cstdint>
#include <string_view>

#include "data/images/image.h"

namespace fastnn {

/// Extents of the pictures of the data set "photos", those of a usual photograph of ImageNet.
inline constexpr int kPhotoHeight = 375, kPhotoWidth = 500;

/// Draws one picture that costs a JPEG decoder what a photograph costs: discs that cover each other, of radii
/// whose density falls with the cube (the dead-leaves model, whose edges and spectrum are those of
/// photographs: Lee, Mumford, Huang 2001), shaded, with texture of several scales and sensor noise. A pure
/// function of (seed, split, index).
Image draw_photo(std::uint64_t seed, std::string_view split, std::int64_t index);

}  // namespace fastnn
