#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

// Fused: made by passes after autograd, without a gradient.

/// y = max(x + biases[c], 0). Inputs: x [..., C] dense, biases [C].
class BiasRelu final : public Operation {
 public:
  std::string_view kind() const override { return "bias_relu"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::optional<int> in_place_input() const override { return 0; }
};

/// dz = dy where y > 0, else 0, and d_biases[c] = sum over the rows of dz. Inputs: dy, y [..., C] dense;
/// outputs: dz, d_biases [C].
class BiasReluGradient final : public Operation {
 public:
  std::string_view kind() const override { return "bias_relu_gradient"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::optional<int> in_place_input() const override { return 0; }
};

}  // namespace fastnn
