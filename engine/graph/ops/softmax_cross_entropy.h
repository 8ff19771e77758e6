#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// Mean softmax cross-entropy, tf.losses.softmax_cross_entropy:
///   loss = 1/N * sum over n < valid_count of -sum over c of target[n, c] * log softmax(logits)[n, c],
///   target = onehot(label) * (1 - label_smoothing) + label_smoothing / C.
/// Inputs: logits [N,C]; labels s32 [N]; valid_count s32 scalar. Outputs: loss, a scalar; probabilities
/// [N,C].
class SoftmaxCrossEntropy final : public Operation {
 public:
  /// Throws UsageError unless 0 <= label_smoothing < 1.
  explicit SoftmaxCrossEntropy(double label_smoothing);

  double label_smoothing() const { return label_smoothing_; }

  std::string_view kind() const override { return "softmax_cross_entropy"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;

 private:
  double label_smoothing_;
};

/// dlogits = (probabilities - target) * dloss / N, 0 in rows from valid_count on.
/// Inputs: probabilities [N,C], labels s32 [N], valid_count s32 scalar, dloss scalar.
class SoftmaxCrossEntropyGradient final : public Operation {
 public:
  explicit SoftmaxCrossEntropyGradient(double label_smoothing) : label_smoothing_(label_smoothing) {}

  double label_smoothing() const { return label_smoothing_; }

  std::string_view kind() const override { return "softmax_cross_entropy_gradient"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::optional<int> in_place_input() const override { return 0; }

 private:
  double label_smoothing_;
};

struct CrossEntropyInputs {
  Value logits;
  Value labels;
  Value valid_count;
};

Value softmax_cross_entropy(Graph& graph, const CrossEntropyInputs& inputs, double label_smoothing,
                            std::string name);

}  // namespace fastnn
