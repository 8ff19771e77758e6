#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// What the mean and rstd of a batch norm are. batch: statistics of x itself, so that the gradient of x goes
/// through them. fixed: constants, such as moving averages.
enum class BatchStatistics { batch, fixed };

/// y = (x - mean) * rstd * gamma + beta. Inputs: x [..., C] dense, mean, rstd, beta [C], and gamma [C], left
/// out where it is 1; output y like x. Gradients of x, beta and gamma; none of mean and rstd: their part is
/// in that of x.
class BatchNormApply final : public Operation {
 public:
  explicit BatchNormApply(BatchStatistics statistics) : statistics_(statistics) {}

  BatchStatistics statistics() const { return statistics_; }

  std::string_view kind() const override { return "batch_norm_apply"; }
  std::string attributes() const override {
    return statistics_ == BatchStatistics::batch ? "batch statistics" : "fixed statistics";
  }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  std::optional<int> in_place_input() const override { return 0; }
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;

 private:
  BatchStatistics statistics_;
};

}  // namespace fastnn
