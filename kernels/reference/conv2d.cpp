#include "kernels/reference/conv2d.h"

#include <algorithm>

namespace fastnn::kernels::reference {
namespace {

// Calls f(offset of the input pixel, offset of the weight pixel) for each window pixel of output pixel (p, q)
// that lies inside the input; offsets count pixels.
template <class F>
void for_each_tap(const Window2d& a, std::int64_t p, std::int64_t q, F&& f) {
  for (std::int64_t r = 0; r < a.R; ++r) {
    const std::int64_t h = p * a.stride_h - a.pad_top + r * a.dilation_h;
    if (h < 0 || h >= a.H) continue;
    for (std::int64_t s = 0; s < a.S; ++s) {
      const std::int64_t w = q * a.stride_w - a.pad_left + s * a.dilation_w;
      if (w >= 0 && w < a.W) f(h * a.W + w, r * a.S + s);
    }
  }
}

}  // namespace

void conv2d(const Conv2d& conv, const double* x, const double* w, double* y) {
  const Window2d& a = conv.window;
  const std::int64_t C = a.C, K = conv.K;
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < a.N * a.P; ++row) {
    const double* image = x + row / a.P * a.H * a.W * C;
    for (std::int64_t q = 0; q < a.Q; ++q) {
      double* out = y + (row * a.Q + q) * K;
      std::fill_n(out, K, 0.0);
      for_each_tap(a, row % a.P, q, [&](std::int64_t pixel, std::int64_t tap) {
        for (std::int64_t c = 0; c < C; ++c) {
          const double value = image[pixel * C + c];
          const double* weights = w + (tap * C + c) * K;
          for (std::int64_t k = 0; k < K; ++k) out[k] += value * weights[k];
        }
      });
    }
  }
}

void conv2d_input_gradient(const Conv2d& conv, const double* w, const double* dy, double* dx) {
  const Window2d& a = conv.window;
  const std::int64_t C = a.C, K = conv.K;
#pragma omp parallel for schedule(static)
  for (std::int64_t n = 0; n < a.N; ++n) {
    double* image = dx + n * a.H * a.W * C;
    std::fill_n(image, a.H * a.W * C, 0.0);
    for (std::int64_t pixel_out = 0; pixel_out < a.P * a.Q; ++pixel_out) {
      const double* gradient = dy + (n * a.P * a.Q + pixel_out) * K;
      for_each_tap(a, pixel_out / a.Q, pixel_out % a.Q, [&](std::int64_t pixel, std::int64_t tap) {
        for (std::int64_t c = 0; c < C; ++c) {
          const double* weights = w + (tap * C + c) * K;
          double sum = 0;
          for (std::int64_t k = 0; k < K; ++k) sum += gradient[k] * weights[k];
          image[pixel * C + c] += sum;
        }
      });
    }
  }
}

void conv2d_weight_gradient(const Conv2d& conv, const double* x, const double* dy, double* dw) {
  const Window2d& a = conv.window;
  const std::int64_t C = a.C, K = conv.K;
#pragma omp parallel for schedule(static)
  for (std::int64_t tap = 0; tap < a.R * a.S; ++tap) {
    double* weights = dw + tap * C * K;
    std::fill_n(weights, C * K, 0.0);
    for (std::int64_t out = 0; out < a.N * a.P * a.Q; ++out) {
      const std::int64_t h = out / a.Q % a.P * a.stride_h - a.pad_top + tap / a.S * a.dilation_h;
      const std::int64_t w = out % a.Q * a.stride_w - a.pad_left + tap % a.S * a.dilation_w;
      if (h < 0 || h >= a.H || w < 0 || w >= a.W) continue;
      const double* pixel = x + ((out / (a.P * a.Q) * a.H + h) * a.W + w) * C;
      for (std::int64_t c = 0; c < C; ++c)
        for (std::int64_t k = 0; k < K; ++k) weights[c * K + k] += pixel[c] * dy[out * K + k];
    }
  }
}

}  // namespace fastnn::kernels::reference
