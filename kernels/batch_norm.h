#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/activation.h"

namespace fastnn::kernels {

// Operands of the batch-norm kernels. Tensors are [rows, channels], dense (NHWC flattened); statistics, beta,
// gamma and their gradients are [channels]. E: float, or double in the reference kernels. A: the tensors'
// elements, which may be narrower.

/// mean[c] = sum of x[.,c] / rows, rstd[c] = 1 / sqrt(biased variance + epsilon), and the unbiased variance
/// sum((x - mean)^2) / (rows - 1) (rows - 1 replaced by 1 for one row), which the moving average takes: as
/// TensorFlow's fused batch norm.
template <class E, class A = E>
struct BatchNormStatistics {
  std::int64_t rows = 1, channels = 1;
  double epsilon = 0;
  const A* x = nullptr;
  E* mean = nullptr;
  E* rstd = nullptr;
  E* variance = nullptr;
};

/// y = (x - mean) * (gamma * rstd) + beta, then + residual where there is one, then the activation.
/// y may be x or the residual.
template <class E, class A = E>
struct BatchNormApply {
  std::int64_t rows = 1, channels = 1;
  const A* x = nullptr;
  const E* mean = nullptr;
  const E* rstd = nullptr;
  const E* beta = nullptr;
  /// Null: 1.
  const E* gamma = nullptr;
  /// Null: none.
  const A* residual = nullptr;
  Activation activation = Activation::none;
  A* y = nullptr;
};

/// By what an activation behind a batch norm masks its gradient. input: by the normalised x, computed anew
/// from x: the very values of the forward pass. output: by its result y.
enum class ActivationMask { none, input, output };

/// dz = mask * (dy + dy2), d_beta = sum over the rows of dz, d_gamma = sum of dz * (x - mean) * rstd.
/// dz may be dy or dy2.
template <class E, class A = E>
struct BatchNormGradientReduce {
  std::int64_t rows = 1, channels = 1;
  const A* dy = nullptr;
  /// Null: none.
  const A* dy2 = nullptr;
  const A* x = nullptr;
  const E* mean = nullptr;
  const E* rstd = nullptr;
  ActivationMask mask = ActivationMask::none;
  /// What masks.
  Activation activation = Activation::relu;
  /// For ActivationMask::input.
  const E* beta = nullptr;
  /// For ActivationMask::input; null: 1.
  const E* gamma = nullptr;
  /// For ActivationMask::output.
  const A* y = nullptr;
  /// Null: not written.
  A* dz = nullptr;
  E* d_beta = nullptr;
  E* d_gamma = nullptr;
};

/// dx = gamma * rstd * (dz - d_beta / rows - (x - mean) * rstd * d_gamma / rows), dz = mask * dy: the
/// gradient through the batch's statistics. dx may be dy.
template <class E, class A = E>
struct BatchNormGradientApply {
  std::int64_t rows = 1, channels = 1;
  const A* dy = nullptr;
  const A* x = nullptr;
  const E* mean = nullptr;
  const E* rstd = nullptr;
  const E* d_beta = nullptr;
  const E* d_gamma = nullptr;
  /// Null: 1.
  const E* gamma = nullptr;
  /// Where set, the mask is ActivationMask::input, else none.
  const E* beta = nullptr;
  /// What masks.
  Activation activation = Activation::relu;
  A* dx = nullptr;
};

/// dx = gamma * rstd * dy: the gradient where the statistics are constants. dx may be dy.
template <class E, class A = E>
struct BatchNormFixedGradient {
  std::int64_t rows = 1, channels = 1;
  const A* dy = nullptr;
  const E* rstd = nullptr;
  /// Null: 1.
  const E* gamma = nullptr;
  A* dx = nullptr;
};

/// new = decay * moving + (1 - decay) * batch, for mean and variance. If any of the batch's figures is not
/// finite, new = moving for all of them. new_* may be moving_*.
template <class E>
struct MovingAverageUpdate {
  std::int64_t channels = 1;
  double decay = 0;
  const E* mean = nullptr;
  const E* variance = nullptr;
  const E* moving_mean = nullptr;
  const E* moving_variance = nullptr;
  E* new_mean = nullptr;
  E* new_variance = nullptr;
};

/// w'[i] = w[i] * s[i % channels], bias[c] = beta[c] - mean[c] * s[c], with s = gamma / sqrt(variance +
/// epsilon): a layer with a batch norm of fixed statistics behind it as one layer. folded may be w.
template <class E>
struct BatchNormFold {
  std::int64_t elements = 1, channels = 1;
  double epsilon = 0;
  const E* w = nullptr;
  const E* mean = nullptr;
  const E* variance = nullptr;
  const E* beta = nullptr;
  /// Null: 1.
  const E* gamma = nullptr;
  E* folded = nullptr;
  E* bias = nullptr;
};

/// rstd[c] = 1 / sqrt(variance[c] + epsilon).
template <class E>
void batch_norm_rstd(std::int64_t channels, double epsilon, const E* variance, E* rstd) {
  for (std::int64_t c = 0; c < channels; ++c)
    rstd[c] = static_cast<E>(1 / std::sqrt(static_cast<double>(variance[c]) + epsilon));
}

template <class E>
void batch_norm_fold(const BatchNormFold<E>& o) {
  for (std::int64_t c = 0; c < o.channels; ++c) {
    const double rstd = 1 / std::sqrt(static_cast<double>(o.variance[c]) + o.epsilon);
    const double scale = o.gamma == nullptr ? rstd : o.gamma[c] * rstd;
    for (std::int64_t i = c; i < o.elements; i += o.channels) o.folded[i] = static_cast<E>(o.w[i] * scale);
    o.bias[c] = static_cast<E>(o.beta[c] - o.mean[c] * scale);
  }
}

template <class E>
void moving_average_update(const MovingAverageUpdate<E>& o) {
  bool finite = true;
  for (std::int64_t c = 0; c < o.channels; ++c)
    finite = finite && std::isfinite(o.mean[c]) && std::isfinite(o.variance[c]);
  const auto update = [&](double moving, double batch) {
    return static_cast<E>(finite ? o.decay * moving + (1 - o.decay) * batch : moving);
  };
  for (std::int64_t c = 0; c < o.channels; ++c) {
    o.new_mean[c] = update(o.moving_mean[c], o.mean[c]);
    o.new_variance[c] = update(o.moving_variance[c], o.variance[c]);
  }
}

}  // namespace fastnn::kernels
