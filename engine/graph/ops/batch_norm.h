#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// The variables of a batch norm, all [C]. The moving averages are not trainable.
struct BatchNormVariables {
  Value beta;
  /// Empty: 1.
  Value gamma;
  Value moving_mean;
  Value moving_variance;
};

/// Does a batch norm have a gamma?
enum class BatchNormScale { without_gamma, with_gamma };

/// training: statistics of the batch, which also enter the moving averages. frozen: the moving averages as
/// constants, in evaluation and for layers that are not to be trained; gradients of x, beta and gamma.
enum class BatchNormMode { training, frozen };

struct BatchNormOptions {
  /// Used as it is. TensorFlow 1.x's fused kernel takes at least 1.001e-5.
  double epsilon = 0.001;
  /// Of the moving averages: the part of the old value that stays.
  double decay = 0.999;
  BatchNormMode mode = BatchNormMode::training;
};

/// Adds the variables <scope>/beta (0), <scope>/gamma (1), <scope>/moving_mean (0), <scope>/moving_variance
/// (1), in TF-Slim's order.
BatchNormVariables add_batch_norm_variables(Graph& graph, std::int64_t channels, BatchNormScale scale,
                                            const std::string& scope);

/// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta per channel of x [..., C] dense, as TensorFlow's
/// fused batch norm: it normalises with the biased variance, the moving average takes the unbiased one. In
/// training the new moving averages are assigned to their variables (Graph::assign).
Value batch_norm(Graph& graph, Value x, const BatchNormVariables& variables, const BatchNormOptions& options,
                 const std::string& name);

}  // namespace fastnn
