#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// new = decay * moving + (1 - decay) * batch, for a mean and a variance; new = moving where any figure of
/// the batch is not finite, so that a batch with a NaN leaves no trace. Inputs: mean, variance (of the
/// batch), moving mean, moving variance, all [C]; outputs: the new moving mean and variance. Graph::assign()
/// makes them the variables' next values. No gradient: it is not part of the loss.
class MovingAverageUpdate final : public Operation {
 public:
  /// Throws UsageError unless 0 <= decay <= 1.
  explicit MovingAverageUpdate(double decay);

  double decay() const { return decay_; }

  std::string_view kind() const override { return "moving_average_update"; }
  std::string attributes() const override { return fmt::format("decay {}", decay_); }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;

 private:
  double decay_;
};

}  // namespace fastnn
