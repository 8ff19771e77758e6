#pragma once

#include <cstdint>
#include <string_view>

#include "data/images/image.h"

namespace fastnn {

/// Pixels of a side of the pictures of the data set "shapes".
inline constexpr int kShapesSize = 32;

/// One picture of the data set "shapes" and its class (index in shape_classes()).
struct ShapesSample {
  Image image;
  int label = 0;
};

/// Draws one sample of the data set "shapes": one object of about 12 to 27 pixels at a random place, size,
/// angle and colour on a flat, graded, striped or chequered background of an independent colour, with noise.
/// Neither colour nor brightness tells the class; each ten consecutive samples hold each class once. A pure
/// function of (seed, split, index), the same on every machine. Splits share no sample.
/// @param split name of the stream of random numbers, such as "train".
ShapesSample draw_shapes_sample(std::uint64_t seed, std::string_view split, std::int64_t index);

}  // namespace fastnn
