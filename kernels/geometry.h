#pragma once

#include <algorithm>
#include <cstdint>

namespace fastnn::kernels {

/// A window that slides over the pixels of [N,H,W,C] (dense NHWC) and gives [N,P,Q,C] (pooling) or [N,P,Q,K]
/// (convolution). Window pixel (r, s) of output pixel (p, q) reads input pixel
/// (p * stride_h - pad_top + r * dilation_h, q * stride_w - pad_left + s * dilation_w); pixels outside the
/// input are padding. The padding at the bottom and the right follows from P and Q.
struct Window2d {
  std::int64_t N = 1, H = 1, W = 1, C = 1;
  std::int64_t P = 1, Q = 1;
  std::int64_t R = 1, S = 1;
  std::int64_t stride_h = 1, stride_w = 1;
  std::int64_t pad_top = 0, pad_left = 0;
  std::int64_t dilation_h = 1, dilation_w = 1;

  bool operator==(const Window2d&) const = default;
};

/// A convolution: x [N,H,W,C], weights [R,S,C,K] as TensorFlow stores them, y [N,P,Q,K].
struct Conv2d {
  Window2d window;
  std::int64_t K = 1;

  bool operator==(const Conv2d&) const = default;
};

/// A fully connected layer: x [N,C], weights [C,K] as TensorFlow stores them, y [N,K].
struct Dense {
  std::int64_t N = 1, C = 1, K = 1;

  bool operator==(const Dense&) const = default;
};

/// TensorFlow's two paddings.
enum class Padding { same, valid };

/// One dimension of a sliding window: number of outputs and padding before (top, left) and after.
struct WindowExtent {
  std::int64_t output = 0;
  std::int64_t pad_before = 0;
  std::int64_t pad_after = 0;

  bool operator==(const WindowExtent&) const = default;
};

/// TensorFlow's rule for one dimension, with reach = (kernel - 1) * dilation + 1.
/// same: output = ceil(input / stride), padding max((output - 1) * stride + reach - input, 0) in all, the
/// smaller half before. valid: output = number of whole windows, no padding; output 0 if not even one fits.
/// All arguments are at least 1.
constexpr WindowExtent window_extent(std::int64_t input, std::int64_t kernel, std::int64_t stride,
                                     std::int64_t dilation, Padding padding) {
  const std::int64_t reach = (kernel - 1) * dilation + 1;
  if (padding == Padding::valid) return {input < reach ? 0 : (input - reach) / stride + 1, 0, 0};
  const std::int64_t output = (input + stride - 1) / stride;
  const std::int64_t total = std::max<std::int64_t>((output - 1) * stride + reach - input, 0);
  return {output, total / 2, total - total / 2};
}

/// The same rule on both dimensions: fills P, Q and the padding of a window from its other fields.
constexpr Window2d with_padding(Window2d window, Padding padding) {
  const auto [P, top, bottom] =
      window_extent(window.H, window.R, window.stride_h, window.dilation_h, padding);
  const auto [Q, left, right] =
      window_extent(window.W, window.S, window.stride_w, window.dilation_w, padding);
  window.P = P;
  window.Q = Q;
  window.pad_top = top;
  window.pad_left = left;
  return window;
}

}  // namespace fastnn::kernels
