#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// y = max(x, 0), elementwise, dense.
class Relu final : public Operation {
 public:
  std::string_view kind() const override { return "relu"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  std::optional<int> in_place_input() const override { return 0; }
};

/// dx = y > 0 ? dy : 0; the gradient at exactly 0 is 0, as in TensorFlow. Inputs: dy, y.
class ReluGradient final : public Operation {
 public:
  std::string_view kind() const override { return "relu_gradient"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::optional<int> in_place_input() const override { return 0; }
};

Value relu(Graph& graph, Value x, std::string name);

}  // namespace fastnn
