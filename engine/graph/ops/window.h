#pragma once

#include <array>
#include <optional>
#include <string>

#include "engine/core/shape.h"
#include "kernels/depthwise.h"
#include "kernels/geometry.h"

namespace fastnn {

using kernels::Padding;

/// Rows and columns of zeros around an image.
struct Pads {
  int top = 0, bottom = 0, left = 0, right = 0;
};

/// How a window of a convolution or pooling moves over an image. Pairs are {height, width}.
struct WindowAttributes {
  std::array<int, 2> stride = {1, 1};
  Padding padding = Padding::same;
  std::array<int, 2> dilation = {1, 1};
  /// Instead of 'padding': resnet's "fixed padding" is {(k-1)/2, k/2, (k-1)/2, k/2} whatever the image, at no
  /// cost. Each less than the window's reach.
  std::optional<Pads> pads = std::nullopt;
};

/// A window of 'kernel' = {R, S} placed on an image [N,H,W,C]: all extents known. Throws UsageError if an
/// attribute is below 1, a pad does not fit the window, the image is empty, or it is smaller than a valid
/// window.
kernels::Window2d place_window(const Shape& image, std::array<int, 2> kernel,
                               const WindowAttributes& attributes);

/// place_window() for pooling: throws UsageError also for a window that holds no pixel of the image.
kernels::Window2d place_pool(const Shape& image, std::array<int, 2> kernel,
                             const WindowAttributes& attributes);

/// A convolution of an image x [N,H,W,C] with weights w [R,S,C,K]; throws like place_window.
kernels::Conv2d place_convolution(const Shape& x, const Shape& w, const WindowAttributes& attributes);

/// A depthwise convolution of an image x [N,H,W,C] with weights w [R,S,C,M]; throws like place_window.
kernels::DepthwiseConv2d place_depthwise(const Shape& x, const Shape& w, const WindowAttributes& attributes);

/// "same", "valid" or "pads 3,3,3,3" (top, bottom, left, right).
std::string padding_text(const WindowAttributes& attributes);

/// "5x5/2 same", "3x3/2x1 valid dilation 2x2", "7x7/2 pads 3,3,3,3".
std::string text_of(std::array<int, 2> kernel, const WindowAttributes& attributes);

}  // namespace fastnn
