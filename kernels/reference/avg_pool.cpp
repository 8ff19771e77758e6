#include "kernels/reference/avg_pool.h"

#include <algorithm>

namespace fastnn::kernels::reference {
namespace {

// Calls f(output pixel, input pixel) for all pairs of image n where the input pixel is in the output's
// window.
template <class F>
void for_each_pair(const Window2d& a, std::int64_t n, F&& f) {
  for (std::int64_t p = 0; p < a.P; ++p)
    for (std::int64_t q = 0; q < a.Q; ++q)
      for (std::int64_t r = 0; r < a.R; ++r)
        for (std::int64_t s = 0; s < a.S; ++s) {
          const std::int64_t h = p * a.stride_h - a.pad_top + r * a.dilation_h;
          const std::int64_t w = q * a.stride_w - a.pad_left + s * a.dilation_w;
          if (h >= 0 && h < a.H && w >= 0 && w < a.W) f((n * a.P + p) * a.Q + q, (n * a.H + h) * a.W + w);
        }
}

// Number of taps in [0, taps) whose pixel start + tap * dilation lies in [0, extent).
std::int64_t taps_inside(std::int64_t start, std::int64_t taps, std::int64_t dilation, std::int64_t extent) {
  std::int64_t count = 0;
  for (std::int64_t tap = 0; tap < taps; ++tap)
    count += start + tap * dilation >= 0 && start + tap * dilation < extent;
  return count;
}

double pixels_of_window(const Window2d& a, std::int64_t output) {
  const std::int64_t p = output / a.Q % a.P, q = output % a.Q;
  return static_cast<double>(taps_inside(p * a.stride_h - a.pad_top, a.R, a.dilation_h, a.H) *
                             taps_inside(q * a.stride_w - a.pad_left, a.S, a.dilation_w, a.W));
}

}  // namespace

void avg_pool(const Window2d& a, const double* x, double* y) {
  std::fill_n(y, a.N * a.P * a.Q * a.C, 0.0);
#pragma omp parallel for schedule(static)
  for (std::int64_t n = 0; n < a.N; ++n)
    for_each_pair(a, n, [&](std::int64_t output, std::int64_t input) {
      for (std::int64_t c = 0; c < a.C; ++c) y[output * a.C + c] += x[input * a.C + c];
    });
  for (std::int64_t output = 0; output < a.N * a.P * a.Q; ++output)
    for (std::int64_t c = 0; c < a.C; ++c) y[output * a.C + c] /= pixels_of_window(a, output);
}

void avg_pool_gradient(const Window2d& a, const double* dy, double* dx) {
  std::fill_n(dx, a.N * a.H * a.W * a.C, 0.0);
#pragma omp parallel for schedule(static)
  for (std::int64_t n = 0; n < a.N; ++n)
    for_each_pair(a, n, [&](std::int64_t output, std::int64_t input) {
      const double share = 1 / pixels_of_window(a, output);
      for (std::int64_t c = 0; c < a.C; ++c) dx[input * a.C + c] += dy[output * a.C + c] * share;
    });
}

}  // namespace fastnn::kernels::reference
