#include "kernels/reference/batch_norm.h"

#include <algorithm>

namespace fastnn::kernels::reference {
namespace {

double scale_of(const double* gamma, const double* rstd, std::int64_t c) {
  return gamma == nullptr ? rstd[c] : gamma[c] * rstd[c];
}

}  // namespace

void batch_norm_statistics(const BatchNormStatistics<double>& o) {
  const auto rows = static_cast<double>(o.rows);
  for (std::int64_t c = 0; c < o.channels; ++c) {
    double sum = 0;
    for (std::int64_t r = 0; r < o.rows; ++r) sum += o.x[r * o.channels + c];
    const double mean = sum / rows;
    double squares = 0;
    for (std::int64_t r = 0; r < o.rows; ++r) {
      const double difference = o.x[r * o.channels + c] - mean;
      squares += difference * difference;
    }
    o.mean[c] = mean;
    o.rstd[c] = 1 / std::sqrt(squares / rows + o.epsilon);
    o.variance[c] = squares / std::max(rows - 1, 1.0);
  }
}

void batch_norm_apply(const BatchNormApply<double>& o) {
  for (std::int64_t r = 0; r < o.rows; ++r)
    for (std::int64_t c = 0; c < o.channels; ++c) {
      const std::int64_t i = r * o.channels + c;
      double y = (o.x[i] - o.mean[c]) * scale_of(o.gamma, o.rstd, c) + o.beta[c];
      if (o.residual != nullptr) y += o.residual[i];
      o.y[i] = activated(o.activation, y);
    }
}

void batch_norm_gradient_reduce(const BatchNormGradientReduce<double>& o) {
  std::fill_n(o.d_beta, o.channels, 0.0);
  std::fill_n(o.d_gamma, o.channels, 0.0);
  for (std::int64_t r = 0; r < o.rows; ++r)
    for (std::int64_t c = 0; c < o.channels; ++c) {
      const std::int64_t i = r * o.channels + c;
      const double centered = o.x[i] - o.mean[c];
      double dz = o.dy2 == nullptr ? o.dy[i] : o.dy[i] + o.dy2[i];
      if (o.mask == ActivationMask::input)
        dz = masked(o.activation, centered * scale_of(o.gamma, o.rstd, c) + o.beta[c], dz);
      if (o.mask == ActivationMask::output) dz = masked(o.activation, o.y[i], dz);
      if (o.dz != nullptr) o.dz[i] = dz;
      o.d_beta[c] += dz;
      o.d_gamma[c] += dz * centered;
    }
  for (std::int64_t c = 0; c < o.channels; ++c) o.d_gamma[c] *= o.rstd[c];
}

void batch_norm_gradient_apply(const BatchNormGradientApply<double>& o) {
  const auto rows = static_cast<double>(o.rows);
  for (std::int64_t r = 0; r < o.rows; ++r)
    for (std::int64_t c = 0; c < o.channels; ++c) {
      const std::int64_t i = r * o.channels + c;
      const double scale = scale_of(o.gamma, o.rstd, c);
      const double centered = o.x[i] - o.mean[c];
      const double dz =
          o.beta == nullptr ? o.dy[i] : masked(o.activation, centered * scale + o.beta[c], o.dy[i]);
      o.dx[i] = scale * (dz - o.d_beta[c] / rows - centered * o.rstd[c] * o.d_gamma[c] / rows);
    }
}

void batch_norm_fixed_gradient(const BatchNormFixedGradient<double>& o) {
  for (std::int64_t r = 0; r < o.rows; ++r)
    for (std::int64_t c = 0; c < o.channels; ++c)
      o.dx[r * o.channels + c] = scale_of(o.gamma, o.rstd, c) * o.dy[r * o.channels + c];
}

}  // namespace fastnn::kernels::reference
