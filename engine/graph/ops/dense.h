#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// y = x w. x: [N,C] dense; w: [C,K]; y: [N,K] dense.
class Dense final : public Operation {
 public:
  std::string_view kind() const override { return "dense"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;
};

/// dx = dy w^T. Inputs: dy [N,K], w [C,K]; output dx [N,C].
class DenseInputGradient final : public Operation {
 public:
  std::string_view kind() const override { return "dense_input_gradient"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;
};

/// dw = x^T dy. Inputs: x [N,C], dy [N,K]; output dw [C,K], native.
class DenseWeightGradient final : public Operation {
 public:
  std::string_view kind() const override { return "dense_weight_gradient"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;
};

Value dense(Graph& graph, Value x, Value w, std::string name);

}  // namespace fastnn
