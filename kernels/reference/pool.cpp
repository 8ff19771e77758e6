#include "kernels/reference/pool.h"

#include <algorithm>

namespace fastnn::kernels::reference {
namespace {

// Offset, in elements of one image, of the first maximum of channel c in the window of output pixel (p, q).
std::int64_t first_maximum(const Window2d& a, const double* image, std::int64_t p, std::int64_t q,
                           std::int64_t c) {
  std::int64_t best = -1;
  for (std::int64_t r = 0; r < a.R; ++r) {
    for (std::int64_t s = 0; s < a.S; ++s) {
      const std::int64_t h = p * a.stride_h - a.pad_top + r * a.dilation_h;
      const std::int64_t w = q * a.stride_w - a.pad_left + s * a.dilation_w;
      if (h < 0 || h >= a.H || w < 0 || w >= a.W) continue;
      const std::int64_t offset = (h * a.W + w) * a.C + c;
      if (best < 0 || image[offset] > image[best]) best = offset;
    }
  }
  return best;
}

// Calls f(n, index into y, offset of the maximum in image n) for every element of y.
template <class F>
void for_each_maximum(const Window2d& a, const double* x, F&& f) {
#pragma omp parallel for schedule(static)
  for (std::int64_t n = 0; n < a.N; ++n) {
    const double* image = x + n * a.H * a.W * a.C;
    for (std::int64_t i = 0; i < a.P * a.Q * a.C; ++i) {
      const std::int64_t pixel = i / a.C;
      f(n, n * a.P * a.Q * a.C + i, first_maximum(a, image, pixel / a.Q, pixel % a.Q, i % a.C));
    }
  }
}

}  // namespace

void max_pool(const Window2d& window, const double* x, double* y) {
  const std::int64_t image = window.H * window.W * window.C;
  for_each_maximum(window, x, [&](std::int64_t n, std::int64_t i, std::int64_t maximum) {
    y[i] = x[n * image + maximum];
  });
}

void max_pool_gradient(const Window2d& window, const double* x, const double* dy, double* dx) {
  const std::int64_t image = window.H * window.W * window.C;
  std::fill_n(dx, window.N * image, 0.0);
  for_each_maximum(window, x, [&](std::int64_t n, std::int64_t i, std::int64_t maximum) {
    dx[n * image + maximum] += dy[i];
  });
}

}  // namespace fastnn::kernels::reference
