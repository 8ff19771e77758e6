#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// SoftmaxCrossEntropy for two labels per row (mixup): row n counts lambda[n] times with label_a[n] and
/// 1 - lambda[n] times with label_b[n]. Lambda has no gradient.
/// Inputs: logits [N,C]; label_a, label_b s32 [N]; lambda f32 [N]; valid_count s32 scalar. Outputs: loss, a
/// scalar; probabilities [N,C]. Zhang et al. 2017, "mixup: Beyond Empirical Risk Minimization".
class MixedCrossEntropy final : public Operation {
 public:
  /// Throws UsageError unless 0 <= label_smoothing < 1.
  explicit MixedCrossEntropy(double label_smoothing);

  double label_smoothing() const { return label_smoothing_; }

  std::string_view kind() const override { return "mixed_cross_entropy"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;

 private:
  double label_smoothing_;
};

/// dlogits of MixedCrossEntropy, 0 in rows from valid_count on.
/// Inputs: probabilities [N,C], label_a, label_b s32 [N], lambda [N], valid_count s32 scalar, dloss scalar.
class MixedCrossEntropyGradient final : public Operation {
 public:
  explicit MixedCrossEntropyGradient(double label_smoothing) : label_smoothing_(label_smoothing) {}

  double label_smoothing() const { return label_smoothing_; }

  std::string_view kind() const override { return "mixed_cross_entropy_gradient"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::optional<int> in_place_input() const override { return 0; }

 private:
  double label_smoothing_;
};

struct MixedCrossEntropyInputs {
  Value logits;
  Value label_a;
  Value label_b;
  Value lambda;
  Value valid_count;
};

Value mixed_cross_entropy(Graph& graph, const MixedCrossEntropyInputs& inputs, double label_smoothing,
                          std::string name);

}  // namespace fastnn
