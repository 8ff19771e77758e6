#pragma once

#include <array>
#include <string>

#include "engine/core/shape.h"

namespace fastnn {

/// TensorFlow's padding rules. same: output = ceil(input / stride), the odd pixel goes to the end. valid: none.
enum class Padding { same, valid };

/// How a window of a convolution or pooling moves over an image. Pairs are {height, width}.
struct WindowAttributes {
  std::array<int, 2> stride = {1, 1};
  Padding padding = Padding::same;
  std::array<int, 2> dilation = {1, 1};
};

/// A window placed on an image: all extents known. Names as in kernels/geometry.h.
struct PlacedWindow {
  std::array<std::int64_t, 2> output;
  std::array<int, 2> pad_before;
  std::array<int, 2> pad_after;
};

/// Places a window of 'kernel' = {R, S} on an image [N,H,W,C]. Throws UsageError if an attribute is below 1 or the
/// image is smaller than a valid window.
PlacedWindow place_window(const Shape& image, std::array<int, 2> kernel, const WindowAttributes& attributes);

/// "5x5/2 same".
std::string text_of(std::array<int, 2> kernel, const WindowAttributes& attributes);

}  // namespace fastnn
