#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// y = the channels of all inputs, one behind the other. Inputs: one or more, [..., C_i] dense, equal but for
/// the channels; y: [..., sum of C_i] dense. Its gradients are channel slices.
class Concat final : public Operation {
 public:
  std::string_view kind() const override { return "concat"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  double flops(std::span<const OperandSpec>, std::span<const OperandSpec>) const override { return 0; }
};

Value concat(Graph& graph, std::vector<Value> inputs, std::string name);

}  // namespace fastnn
