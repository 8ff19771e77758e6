#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// y[n, c] = exp(x[n, c]) / sum over c of exp(x[n, c]). x, y: [N, C] dense.
class Softmax final : public Operation {
 public:
  std::string_view kind() const override { return "softmax"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
};

/// dx = y * (dy - sum over c of dy * y). Inputs: dy, y, both [N, C].
class SoftmaxGradient final : public Operation {
 public:
  std::string_view kind() const override { return "softmax_gradient"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
};

Value softmax(Graph& graph, Value x, std::string name);

}  // namespace fastnn
