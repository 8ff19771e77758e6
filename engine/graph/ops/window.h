#pragma once

#include <array>
#include <string>

#include "engine/core/shape.h"
#include "kernels/geometry.h"

namespace fastnn {

using kernels::Padding;

/// How a window of a convolution or pooling moves over an image. Pairs are {height, width}.
struct WindowAttributes {
  std::array<int, 2> stride = {1, 1};
  Padding padding = Padding::same;
  std::array<int, 2> dilation = {1, 1};
};

/// A window of 'kernel' = {R, S} placed on an image [N,H,W,C]: all extents known. Throws UsageError if an
/// attribute is below 1, the image is empty, or it is smaller than a valid window.
kernels::Window2d place_window(const Shape& image, std::array<int, 2> kernel,
                               const WindowAttributes& attributes);

/// A convolution of an image x [N,H,W,C] with weights w [R,S,C,K]; throws like place_window.
kernels::Conv2d place_convolution(const Shape& x, const Shape& w, const WindowAttributes& attributes);

/// "5x5/2 same".
std::string text_of(std::array<int, 2> kernel, const WindowAttributes& attributes);

}  // namespace fastnn
