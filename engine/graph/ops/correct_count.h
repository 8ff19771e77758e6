#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// How many of the first valid_count rows are right. k = 1: the first largest logit is the label (FastNN's
/// accuracy). k > 1: fewer than k logits are larger than the label's and the row is finite (tf.nn.in_top_k).
/// Inputs: logits [N,C], labels s32 [N], valid_count s32 scalar; output: a s32 scalar.
class CorrectCount final : public Operation {
 public:
  explicit CorrectCount(int k) : k_(k) {}

  int k() const { return k_; }

  std::string_view kind() const override { return "correct_count"; }
  std::string attributes() const override { return fmt::format("top {}", k_); }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;

 private:
  int k_;
};

}  // namespace fastnn
