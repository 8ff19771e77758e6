#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// y[row, c] = x[row, c] + biases[c]. x, y: [..., C] dense; biases: [C].
class BiasAdd final : public Operation {
 public:
  std::string_view kind() const override { return "bias_add"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  std::optional<int> in_place_input() const override { return 0; }
};

/// db[c] = sum over the rows of dy[row, c]. dy: [..., C] dense; db: [C].
class BiasGradient final : public Operation {
 public:
  std::string_view kind() const override { return "bias_gradient"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;
};

Value bias_add(Graph& graph, Value x, Value biases, std::string name);

}  // namespace fastnn
