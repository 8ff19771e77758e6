#pragma once

#include "data/images/image.h"

namespace fastnn {

/// EXIF orientations, 1..8: 1 as stored, 2 mirrored left to right, 3 turned by 180 degrees, 4 mirrored top to
/// bottom, 5 transposed, 6 to be turned by 90 degrees clockwise, 7 transposed along the other diagonal, 8 to
/// be turned by 90 degrees counter-clockwise.

/// Whether the upright image has height and width of the stored one swapped.
bool swaps_sides(int orientation);

/// The rectangle of the stored image (of the given extents) that shows as 'part' of the upright one.
Rectangle stored_part(const Rectangle& part, int orientation, int stored_height, int stored_width);

/// Turns a stored image upright into 'out', whose buffer is reused. The two must differ.
void orient(const Image& stored, int orientation, Image& out);

}  // namespace fastnn
