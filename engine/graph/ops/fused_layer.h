#pragma once

#include "engine/graph/graph.h"
#include "kernels/activation.h"

namespace fastnn {

/// What follows a convolution or dense layer: activation(scale * (sum + bias) + residual). An activation may
/// turn a NaN into 0, as oneDNN's does.
struct LayerEpilogue {
  double scale = 1;
  bool residual = false;
  kernels::Activation activation = kernels::Activation::none;
};

/// A conv2d, depthwise_conv2d or dense layer with its epilogue. Inputs: x and w of the layer, bias [K], and a
/// residual like y where the epilogue has it; output y. Made by passes after autograd, without a gradient.
class FusedLayer final : public Operation {
 public:
  /// Throws UsageError for an operation of another kind.
  FusedLayer(std::shared_ptr<const Operation> layer, LayerEpilogue epilogue);

  const std::shared_ptr<const Operation>& layer() const { return layer_; }
  const LayerEpilogue& epilogue() const { return epilogue_; }

  /// "conv2d_fused", "depthwise_conv2d_fused", "dense_fused".
  std::string_view kind() const override { return kind_; }
  std::string attributes() const override;
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::optional<int> in_place_input() const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;

 private:
  std::shared_ptr<const Operation> layer_;
  LayerEpilogue epilogue_;
  std::string_view kind_;
};

/// The kinds of operation that FusedLayer takes, and its kind then.
struct LayerKind {
  std::string_view layer;
  std::string_view fused;
};
std::span<const LayerKind> layer_kinds();

/// The convolution or dense layer that a node computes, fused or not; null if it is another operation.
const Operation* layer_of(const Node& node);

/// The weights and the bias of a layer with a batch norm of fixed statistics behind it, as one layer:
/// w'[..., k] = w[..., k] * s[k] and bias[k] = beta[k] - mean[k] * s[k], with s = gamma / sqrt(variance +
/// epsilon). Inputs: w (of depthwise weights [R,S,C,M] the last two count as one), mean, variance, beta, and
/// gamma, left out where it is 1, all [K]; outputs: w' dense, bias [K].
class BatchNormFold final : public Operation {
 public:
  explicit BatchNormFold(double epsilon) : epsilon_(epsilon) {}

  double epsilon() const { return epsilon_; }

  std::string_view kind() const override { return "batch_norm_fold"; }
  std::string attributes() const override { return fmt::format("epsilon {}", epsilon_); }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;

 private:
  double epsilon_;
};

}  // namespace fastnn
