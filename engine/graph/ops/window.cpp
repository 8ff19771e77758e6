#include "engine/graph/ops/window.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"

namespace fastnn {

namespace {

// Extent of the output of one dimension with explicit pads.
std::int64_t padded_output(std::int64_t input, std::int64_t reach, std::int64_t stride, int before,
                           int after) {
  const std::int64_t padded = input + before + after;
  return padded < reach ? 0 : (padded - reach) / stride + 1;
}

kernels::Window2d with_pads(kernels::Window2d window, const Pads& pads) {
  const std::int64_t reach_h = (window.R - 1) * window.dilation_h + 1;
  const std::int64_t reach_w = (window.S - 1) * window.dilation_w + 1;
  if (std::min({pads.top, pads.bottom, pads.left, pads.right}) < 0 ||
      std::max(pads.top, pads.bottom) >= reach_h || std::max(pads.left, pads.right) >= reach_w)
    throw UsageError(
        "[window] pads must be at least 0 and less than the window's reach of {}x{} pixels, got top {}, bottom {}, left {}, right {}",
        reach_h, reach_w, pads.top, pads.bottom, pads.left, pads.right);
  window.P = padded_output(window.H, reach_h, window.stride_h, pads.top, pads.bottom);
  window.Q = padded_output(window.W, reach_w, window.stride_w, pads.left, pads.right);
  window.pad_top = pads.top;
  window.pad_left = pads.left;
  return window;
}

// Whether each of the outputs has a tap in [0, extent).
bool all_hold_pixels(std::int64_t outputs, std::int64_t stride, std::int64_t pad, std::int64_t taps,
                     std::int64_t dilation, std::int64_t extent) {
  for (std::int64_t output = 0; output < outputs; ++output) {
    bool holds = false;
    for (std::int64_t tap = 0; tap < taps && !holds; ++tap) {
      const std::int64_t at = output * stride - pad + tap * dilation;
      holds = at >= 0 && at < extent;
    }
    if (!holds) return false;
  }
  return true;
}

std::array<int, 2> kernel_of(const Shape& w) {
  if (w.rank() != 4) throw UsageError("[window] expected weights [R,S,C,K] of rank 4, got {}", w.text());
  return {static_cast<int>(w[0]), static_cast<int>(w[1])};
}

std::string text_of(const std::array<int, 2>& pair) {
  return pair[0] == pair[1] ? std::to_string(pair[0]) : fmt::format("{}x{}", pair[0], pair[1]);
}

}  // namespace

kernels::Window2d place_window(const Shape& image, std::array<int, 2> kernel,
                               const WindowAttributes& attributes) {
  if (image.rank() != 4 || image.elements() == 0)
    throw UsageError("[window] expected an image [N,H,W,C] with at least one element, got {}", image.text());
  for (const auto& [name, pair] :
       {std::pair{"kernel", kernel}, {"stride", attributes.stride}, {"dilation", attributes.dilation}})
    if (pair[0] < 1 || pair[1] < 1)
      throw UsageError("[window] {} must be at least 1, got {}x{}", name, pair[0], pair[1]);
  const kernels::Window2d window{.N = image[0],
                                 .H = image[1],
                                 .W = image[2],
                                 .C = image[3],
                                 .R = kernel[0],
                                 .S = kernel[1],
                                 .stride_h = attributes.stride[0],
                                 .stride_w = attributes.stride[1],
                                 .dilation_h = attributes.dilation[0],
                                 .dilation_w = attributes.dilation[1]};
  const auto placed = attributes.pads ? with_pads(window, *attributes.pads)
                                      : kernels::with_padding(window, attributes.padding);
  if (placed.P < 1 || placed.Q < 1)
    throw UsageError("[window] a window {} does not fit into an image {}", text_of(kernel, attributes),
                     image.text());
  return placed;
}

kernels::Window2d place_pool(const Shape& image, std::array<int, 2> kernel,
                             const WindowAttributes& attributes) {
  const auto a = place_window(image, kernel, attributes);
  if (!all_hold_pixels(a.P, a.stride_h, a.pad_top, a.R, a.dilation_h, a.H) ||
      !all_hold_pixels(a.Q, a.stride_w, a.pad_left, a.S, a.dilation_w, a.W))
    throw UsageError("[window] a pooling window {} over an image {} would hold padding only",
                     text_of(kernel, attributes), image.text());
  return a;
}

kernels::Conv2d place_convolution(const Shape& x, const Shape& w, const WindowAttributes& attributes) {
  return {place_window(x, kernel_of(w), attributes), w[3]};
}

kernels::DepthwiseConv2d place_depthwise(const Shape& x, const Shape& w, const WindowAttributes& attributes) {
  return {place_window(x, kernel_of(w), attributes), w[3]};
}

std::string padding_text(const WindowAttributes& attributes) {
  if (const auto& pads = attributes.pads)
    return fmt::format("pads {},{},{},{}", pads->top, pads->bottom, pads->left, pads->right);
  return attributes.padding == Padding::same ? "same" : "valid";
}

std::string text_of(std::array<int, 2> kernel, const WindowAttributes& attributes) {
  std::string text =
      fmt::format("{}x{}/{} {}", kernel[0], kernel[1], text_of(attributes.stride), padding_text(attributes));
  if (attributes.dilation != std::array{1, 1})
    text += fmt::format(" dilation {}", text_of(attributes.dilation));
  return text;
}

}  // namespace fastnn
