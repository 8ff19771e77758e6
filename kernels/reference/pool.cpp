#include "kernels/reference/pool.h"

#include <algorithm>

namespace fastnn::kernels::reference {
namespace {

// Row of an image that tap r of output row p reads; outside [0, H) where it is padding. Likewise columns.
std::int64_t input_row(const Window2d& a, std::int64_t p, std::int64_t r) {
  return p * a.stride_h - a.pad_top + r * a.dilation_h;
}

std::int64_t input_column(const Window2d& a, std::int64_t q, std::int64_t s) {
  return q * a.stride_w - a.pad_left + s * a.dilation_w;
}

// Tap r * S + s of the first maximum of channel c in the window of output pixel (p, q).
std::int64_t first_maximum(const Window2d& a, const double* image, std::int64_t p, std::int64_t q,
                           std::int64_t c) {
  std::int64_t best = -1;
  double largest = 0;
  for (std::int64_t tap = 0; tap < a.R * a.S; ++tap) {
    const std::int64_t h = input_row(a, p, tap / a.S);
    const std::int64_t w = input_column(a, q, tap % a.S);
    if (h < 0 || h >= a.H || w < 0 || w >= a.W) continue;
    const double value = image[(h * a.W + w) * a.C + c];
    if (best >= 0 && !(value > largest)) continue;
    best = tap;
    largest = value;
  }
  return best;
}

// Calls f(index into y, index into x of the pixel that tap_of(n, p, q, c) names) for every element of y.
template <class TapOf, class F>
void for_each_output(const Window2d& a, TapOf&& tap_of, F&& f) {
#pragma omp parallel for schedule(static)
  for (std::int64_t n = 0; n < a.N; ++n) {
    for (std::int64_t i = 0; i < a.P * a.Q * a.C; ++i) {
      const std::int64_t p = i / a.C / a.Q;
      const std::int64_t q = i / a.C % a.Q;
      const std::int64_t output = n * a.P * a.Q * a.C + i;
      const std::int64_t tap = tap_of(n, p, q, i % a.C, output);
      const std::int64_t pixel = (n * a.H + input_row(a, p, tap / a.S)) * a.W + input_column(a, q, tap % a.S);
      f(output, tap, pixel * a.C + i % a.C);
    }
  }
}

}  // namespace

void max_pool(const Window2d& a, const double* x, double* y, std::uint8_t* index) {
  const auto tap_of = [&](std::int64_t n, std::int64_t p, std::int64_t q, std::int64_t c, std::int64_t) {
    return first_maximum(a, x + n * a.H * a.W * a.C, p, q, c);
  };
  for_each_output(a, tap_of, [&](std::int64_t output, std::int64_t tap, std::int64_t input) {
    y[output] = x[input];
    index[output] = static_cast<std::uint8_t>(tap);
  });
}

void max_pool_gradient(const Window2d& a, const std::uint8_t* index, const double* dy, double* dx) {
  std::fill_n(dx, a.N * a.H * a.W * a.C, 0.0);
  const auto tap_of = [&](std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t output) {
    return static_cast<std::int64_t>(index[output]);
  };
  for_each_output(a, tap_of,
                  [&](std::int64_t output, std::int64_t, std::int64_t input) { dx[input] += dy[output]; });
}

}  // namespace fastnn::kernels::reference
