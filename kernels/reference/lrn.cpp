#include "kernels/reference/lrn.h"

#include <algorithm>
#include <cmath>

namespace fastnn::kernels::reference {
namespace {

// Sum of f(j) over the channels j around c.
template <class F>
double sum_around(const Lrn& a, std::int64_t c, F&& f) {
  double sum = 0;
  const std::int64_t last = std::min(a.channels - 1, c + a.depth_radius);
  for (std::int64_t j = std::max<std::int64_t>(0, c - a.depth_radius); j <= last; ++j) sum += f(j);
  return sum;
}

double scale(const Lrn& a, const double* x, std::int64_t c) {
  return a.bias + a.alpha * sum_around(a, c, [x](std::int64_t j) { return x[j] * x[j]; });
}

}  // namespace

void lrn(const Lrn& a, const double* x, double* y) {
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < a.rows; ++row) {
    const double* in = x + row * a.channels;
    for (std::int64_t c = 0; c < a.channels; ++c)
      y[row * a.channels + c] = in[c] * std::pow(scale(a, in, c), -a.beta);
  }
}

void lrn_gradient(const Lrn& a, const double* x, const double* dy, double* dx) {
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < a.rows; ++row) {
    const double* in = x + row * a.channels;
    const double* gradient = dy + row * a.channels;
    for (std::int64_t c = 0; c < a.channels; ++c) {
      const double around = sum_around(
          a, c, [&](std::int64_t j) { return gradient[j] * in[j] * std::pow(scale(a, in, j), -a.beta - 1); });
      dx[row * a.channels + c] =
          gradient[c] * std::pow(scale(a, in, c), -a.beta) - 2 * a.alpha * a.beta * in[c] * around;
    }
  }
}

}  // namespace fastnn::kernels::reference
