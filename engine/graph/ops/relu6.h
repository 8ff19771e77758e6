#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// y = min(max(x, 0), 6), elementwise, dense.
class Relu6 final : public Operation {
 public:
  std::string_view kind() const override { return "relu6"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  std::optional<int> in_place_input() const override { return 0; }
};

/// dx = 0 < y < 6 ? dy : 0; the gradient at exactly 0 and 6 is 0, as in TensorFlow. Inputs: dy, y.
class Relu6Gradient final : public Operation {
 public:
  std::string_view kind() const override { return "relu6_gradient"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::optional<int> in_place_input() const override { return 0; }
};

Value relu6(Graph& graph, Value x, std::string name);

}  // namespace fastnn
