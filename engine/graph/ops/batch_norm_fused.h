#pragma once

#include "engine/graph/graph.h"
#include "kernels/batch_norm.h"

namespace fastnn {

// Fused forms of a batch norm and what stands behind it. They have no gradient: passes make them after
// autograd. Each gives the very bits of its composition.

/// BatchNormStatistics, and MovingAverageUpdate of them. Inputs: x [..., C] dense, moving mean, moving
/// variance [C]; outputs: mean, rstd, variance, new moving mean, new moving variance [C].
class BatchNormStatisticsUpdate final : public Operation {
 public:
  BatchNormStatisticsUpdate(double epsilon, double decay) : epsilon_(epsilon), decay_(decay) {}

  double epsilon() const { return epsilon_; }
  double decay() const { return decay_; }

  std::string_view kind() const override { return "batch_norm_statistics_update"; }
  std::string attributes() const override { return fmt::format("epsilon {} decay {}", epsilon_, decay_); }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;

 private:
  double epsilon_;
  double decay_;
};

/// What follows a batch norm: first + residual, then the activation.
struct BatchNormEpilogue {
  bool residual = false;
  kernels::Activation activation = kernels::Activation::none;
};

/// y = activation((x - mean) * rstd * gamma + beta + residual). Inputs: x [..., C] dense, mean, rstd, beta,
/// gamma [C] (left out where it is 1), residual like x (where the epilogue has it).
class BatchNormApplyFused final : public Operation {
 public:
  explicit BatchNormApplyFused(BatchNormEpilogue epilogue) : epilogue_(epilogue) {}

  const BatchNormEpilogue& epilogue() const { return epilogue_; }

  std::string_view kind() const override { return "batch_norm_apply_fused"; }
  std::string attributes() const override;
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::optional<int> in_place_input() const override { return 0; }

 private:
  BatchNormEpilogue epilogue_;
};

/// How gradients reach a batch norm.
struct BatchNormGradientSource {
  /// 1 or 2 tensors, to be added: the value behind the batch norm was read twice.
  int gradients = 1;
  kernels::ActivationMask mask = kernels::ActivationMask::none;
  /// What masks.
  kernels::Activation activation = kernels::Activation::relu;
  /// Also give dz: where it is another operation's gradient too (the residual's), or would cost more to
  /// compute twice.
  bool keep_dz = false;
};

/// dz = mask * (dy + dy2), and BatchNormGradientReduce of dz. Inputs: dy, dy2 (where two), x [..., C] dense,
/// mean, rstd [C]; then for ActivationMask::input beta, gamma [C] (left out where it is 1), for
/// ActivationMask::output the result y of the forward pass. Outputs: dz (where kept), d_beta, d_gamma.
class BatchNormGradientReduceFused final : public Operation {
 public:
  /// Throws UsageError unless there are 1 or 2 gradients.
  explicit BatchNormGradientReduceFused(BatchNormGradientSource source);

  const BatchNormGradientSource& source() const { return source_; }

  std::string_view kind() const override { return "batch_norm_gradient_reduce_fused"; }
  std::string attributes() const override;
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::optional<int> in_place_input() const override;

 private:
  BatchNormGradientSource source_;
};

/// BatchNormGradientApply of dz = mask * dy, ActivationMask::input. Inputs: dy, x [..., C] dense, mean, rstd,
/// d_beta, d_gamma, beta, gamma [C] (left out where it is 1).
class BatchNormGradientApplyFused final : public Operation {
 public:
  explicit BatchNormGradientApplyFused(kernels::Activation activation) : activation_(activation) {}

  kernels::Activation activation() const { return activation_; }

  std::string_view kind() const override { return "batch_norm_gradient_apply_fused"; }
  std::string attributes() const override;
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::optional<int> in_place_input() const override { return 0; }

 private:
  kernels::Activation activation_;
};

}  // namespace fastnn
