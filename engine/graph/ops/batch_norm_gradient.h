#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// Sums over all but the channels: d_beta = sum of dy, d_gamma = sum of dy * (x - mean) * rstd. Inputs: dy, x
/// [..., C] dense, mean, rstd [C]; outputs d_beta, d_gamma [C].
class BatchNormGradientReduce final : public Operation {
 public:
  std::string_view kind() const override { return "batch_norm_gradient_reduce"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;
};

/// dx = gamma * rstd * (dy - d_beta / m - (x - mean) * rstd * d_gamma / m), m values per channel: the
/// gradient of a BatchNormApply with the batch's statistics. Inputs: dy, x [..., C] dense, mean, rstd,
/// d_beta, d_gamma [C], and gamma [C], left out where it is 1.
class BatchNormGradientApply final : public Operation {
 public:
  std::string_view kind() const override { return "batch_norm_gradient_apply"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::optional<int> in_place_input() const override { return 0; }
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;
};

/// dx = gamma * rstd * dy: the gradient of a BatchNormApply with fixed statistics. Inputs: dy [..., C] dense,
/// rstd [C], and gamma [C], left out where it is 1.
class BatchNormFixedGradient final : public Operation {
 public:
  std::string_view kind() const override { return "batch_norm_fixed_gradient"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::optional<int> in_place_input() const override { return 0; }
};

}  // namespace fastnn
