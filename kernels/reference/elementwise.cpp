#include "kernels/reference/elementwise.h"

#include <algorithm>

#include "kernels/activation.h"

namespace fastnn::kernels::reference {

void bias_add(std::int64_t rows, std::int64_t channels, const double* x, const double* bias, double* y) {
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < channels; ++c) y[r * channels + c] = x[r * channels + c] + bias[c];
}

void bias_gradient(std::int64_t rows, std::int64_t channels, const double* dy, double* d_bias) {
  std::fill_n(d_bias, channels, 0.0);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < channels; ++c) d_bias[c] += dy[r * channels + c];
}

void relu(std::int64_t count, const double* x, double* y) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = activated(Activation::relu, x[i]);
}

void relu_gradient(std::int64_t count, const double* y, const double* dy, double* dx) {
  for (std::int64_t i = 0; i < count; ++i) dx[i] = masked(Activation::relu, y[i], dy[i]);
}

void bias_relu(std::int64_t rows, std::int64_t channels, const double* x, const double* bias, double* y) {
  bias_add(rows, channels, x, bias, y);
  relu(rows * channels, y, y);
}

void bias_relu_gradient(std::int64_t rows, std::int64_t channels, const double* y, const double* dy,
                        double* dz, double* d_bias) {
  relu_gradient(rows * channels, y, dy, dz);
  bias_gradient(rows, channels, dz, d_bias);
}

void add(std::int64_t count, const double* a, const double* b, double* y) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = a[i] + b[i];
}

void relu6(std::int64_t count, const double* x, double* y) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = activated(Activation::relu6, x[i]);
}

void relu6_gradient(std::int64_t count, const double* y, const double* dy, double* dx) {
  for (std::int64_t i = 0; i < count; ++i) dx[i] = masked(Activation::relu6, y[i], dy[i]);
}

void scale(std::int64_t count, double factor, const double* x, double* y) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = factor * x[i];
}

void scale_add(std::int64_t count, double factor, const double* x, const double* r, double* y) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = x[i] + factor * r[i];
}

void scale_add_relu(std::int64_t count, double factor, const double* x, const double* r, double* y) {
  scale_add(count, factor, x, r, y);
  relu(count, y, y);
}

void scale_add_relu_gradient(std::int64_t count, double factor, const double* y, const double* dy,
                             const double* dy2, double* dx, double* dr) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double gradient = dy2 == nullptr ? dy[i] : dy[i] + dy2[i];
    dx[i] = y[i] > 0 ? gradient : 0;
    dr[i] = factor * dx[i];
  }
}

void dropout(const Dropout& options, const double* x, double* y) {
#pragma omp parallel for schedule(static)
  for (std::int64_t n = 0; n < options.N; ++n) {
    for (std::int64_t e = 0; e < options.E; ++e) {
      const std::int64_t i = n * options.E + e;
      const bool keep = dropout_mask(options, n, e / kDropoutBlock)[e % kDropoutBlock];
      y[i] = keep ? x[i] / options.keep_prob : 0;
    }
  }
}

}  // namespace fastnn::kernels::reference
