#include "kernels/reference/depthwise.h"

#include <algorithm>

namespace fastnn::kernels::reference {
namespace {

/// Channels that one thread works on at a time; channels are independent of each other.
constexpr std::int64_t kBlockChannels = 16;

/// Calls f(pixel of x, tap, pixel of y) for every window pixel inside an image, in a fixed order.
template <class F>
void for_each_tap(const Window2d& a, F&& f) {
  for (std::int64_t output = 0; output < a.N * a.P * a.Q; ++output)
    for (std::int64_t tap = 0; tap < a.R * a.S; ++tap) {
      const std::int64_t h = output / a.Q % a.P * a.stride_h - a.pad_top + tap / a.S * a.dilation_h;
      const std::int64_t w = output % a.Q * a.stride_w - a.pad_left + tap % a.S * a.dilation_w;
      if (h >= 0 && h < a.H && w >= 0 && w < a.W) f((output / a.Q / a.P * a.H + h) * a.W + w, tap, output);
    }
}

/// Calls f(index into x, w, y) for every product.
template <class F>
void for_each_product(const DepthwiseConv2d& conv, F&& f) {
  const std::int64_t C = conv.window.C, M = conv.M;
#pragma omp parallel for schedule(static)
  for (std::int64_t first = 0; first < C; first += kBlockChannels) {
    const std::int64_t last = std::min(first + kBlockChannels, C);
    for_each_tap(conv.window, [&](std::int64_t input, std::int64_t tap, std::int64_t output) {
      for (std::int64_t c = first; c < last; ++c)
        for (std::int64_t m = 0; m < M; ++m)
          f(input * C + c, (tap * C + c) * M + m, (output * C + c) * M + m);
    });
  }
}

}  // namespace

void depthwise_conv2d(const DepthwiseConv2d& conv, const double* x, const double* w, double* y) {
  const Window2d& a = conv.window;
  std::fill_n(y, a.N * a.P * a.Q * a.C * conv.M, 0.0);
  for_each_product(
      conv, [=](std::int64_t in, std::int64_t weight, std::int64_t out) { y[out] += x[in] * w[weight]; });
}

void depthwise_conv2d_input_gradient(const DepthwiseConv2d& conv, const double* w, const double* dy,
                                     double* dx) {
  const Window2d& a = conv.window;
  std::fill_n(dx, a.N * a.H * a.W * a.C, 0.0);
  for_each_product(
      conv, [=](std::int64_t in, std::int64_t weight, std::int64_t out) { dx[in] += dy[out] * w[weight]; });
}

void depthwise_conv2d_weight_gradient(const DepthwiseConv2d& conv, const double* x, const double* dy,
                                      double* dw) {
  const Window2d& a = conv.window;
  std::fill_n(dw, a.R * a.S * a.C * conv.M, 0.0);
  for_each_product(
      conv, [=](std::int64_t in, std::int64_t weight, std::int64_t out) { dw[weight] += x[in] * dy[out]; });
}

}  // namespace fastnn::kernels::reference
