#include "kernels/reference/dense.h"

#include <algorithm>

namespace fastnn::kernels::reference {

void dense(const Dense& extents, const double* x, const double* w, double* y) {
  const std::int64_t C = extents.C, K = extents.K;
#pragma omp parallel for schedule(static)
  for (std::int64_t n = 0; n < extents.N; ++n) {
    std::fill_n(y + n * K, K, 0.0);
    for (std::int64_t c = 0; c < C; ++c)
      for (std::int64_t k = 0; k < K; ++k) y[n * K + k] += x[n * C + c] * w[c * K + k];
  }
}

void dense_input_gradient(const Dense& extents, const double* w, const double* dy, double* dx) {
  const std::int64_t C = extents.C, K = extents.K;
#pragma omp parallel for schedule(static)
  for (std::int64_t n = 0; n < extents.N; ++n) {
    for (std::int64_t c = 0; c < C; ++c) {
      double sum = 0;
      for (std::int64_t k = 0; k < K; ++k) sum += dy[n * K + k] * w[c * K + k];
      dx[n * C + c] = sum;
    }
  }
}

void dense_weight_gradient(const Dense& extents, const double* x, const double* dy, double* dw) {
  const std::int64_t C = extents.C, K = extents.K;
#pragma omp parallel for schedule(static)
  for (std::int64_t c = 0; c < C; ++c) {
    std::fill_n(dw + c * K, K, 0.0);
    for (std::int64_t n = 0; n < extents.N; ++n)
      for (std::int64_t k = 0; k < K; ++k) dw[c * K + k] += x[n * C + c] * dy[n * K + k];
  }
}

}  // namespace fastnn::kernels::reference
