#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// Per channel of x [..., C] dense, over all other dimensions (m values): outputs mean [C], rstd [C] = 1 /
/// sqrt(biased variance + epsilon), and variance [C], unbiased: sum((x - mean)^2) / (m - 1), m - 1 replaced
/// by 1 where m is 1. As TensorFlow's fused batch norm. No gradient of its own: BatchNormApply's goes through
/// it.
class BatchNormStatistics final : public Operation {
 public:
  /// Throws UsageError unless epsilon > 0.
  explicit BatchNormStatistics(double epsilon);

  double epsilon() const { return epsilon_; }

  std::string_view kind() const override { return "batch_norm_statistics"; }
  std::string attributes() const override { return fmt::format("epsilon {}", epsilon_); }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;

 private:
  double epsilon_;
};

/// rstd[c] = 1 / sqrt(variance[c] + epsilon): of a moving variance, for a batch norm with fixed statistics.
class BatchNormRstd final : public Operation {
 public:
  /// Throws UsageError unless epsilon > 0.
  explicit BatchNormRstd(double epsilon);

  double epsilon() const { return epsilon_; }

  std::string_view kind() const override { return "batch_norm_rstd"; }
  std::string attributes() const override { return fmt::format("epsilon {}", epsilon_); }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;

 private:
  double epsilon_;
};

}  // namespace fastnn
