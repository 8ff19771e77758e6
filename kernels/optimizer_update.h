#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include "kernels/optimizer_rules.h"

namespace fastnn::kernels {

/// A range [begin, end) of the flat buffers whose elements share their weight decay. What lies between
/// segments (padding, frozen parameters) is neither read nor written.
struct OptimizerSegment {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  /// Coupled (TensorFlow's) decay: l2 * weight is part of the gradient, of its norm and of clipping.
  double l2 = 0;
  /// Decoupled decay: learning_rate * decoupled_decay * weight is subtracted beside the rule's own step.
  /// Serves every rule; with adam it makes AdamW.
  double decoupled_decay = 0;
};

/// The flat buffers of all parameters, equally long and laid out alike, owned by the caller.
template <class T>
struct OptimizerBuffers {
  T* weights = nullptr;
  const T* gradients = nullptr;
  /// As many as the rule has, in its order; the others are not read.
  std::array<T*, kMaxSlots> slots{};
  /// Ascending and disjoint.
  std::span<const OptimizerSegment> segments;
};

/// Sums over all segments; those of several shards add up.
struct GradientStatistics {
  /// Sum of the squares of gradient * gradient_scale + l2 * weight.
  double squares = 0;
  /// Sum of l2 * weight^2 / 2, with the weights before the update.
  double l2_loss = 0;

  double norm() const { return std::sqrt(squares); }
  /// False if any such gradient is NaN or infinite: squares of finite floats cannot overflow a double.
  bool finite() const { return std::isfinite(squares); }
};

/// What changes from one update to the next.
struct UpdateStep {
  double learning_rate = 0;
  /// Updates applied before this one.
  std::int64_t updates = 0;
  /// Multiplies every gradient first: 1 / loss_scale.
  double gradient_scale = 1;
  /// Limit of the global norm of the gradients, positive; no clipping if unset.
  std::optional<double> max_gradient_norm = std::nullopt;
  /// Of momentum and rmsprop, in place of the parameters' own, where it changes from step to step.
  std::optional<double> momentum = std::nullopt;
};

/// The hyper-parameters of one update.
inline OptimizerParameters parameters_of(OptimizerParameters parameters, const UpdateStep& step) {
  parameters.momentum = step.momentum.value_or(parameters.momentum);
  parameters.rmsprop_momentum = step.momentum.value_or(parameters.rmsprop_momentum);
  return parameters;
}

/// Factor of all gradients that limits their global norm: max_norm * min(1 / norm, 1 / max_norm), as
/// TensorFlow's clip_by_global_norm; exactly 1 where the norm is within the limit, so that a limit that is
/// never reached changes no bit.
inline double clip_factor(double norm, std::optional<double> max_norm) {
  if (!max_norm || norm <= *max_norm) return 1;
  return *max_norm * std::min(1 / norm, 1 / *max_norm);
}

}  // namespace fastnn::kernels
