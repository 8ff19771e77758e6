#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// y = x + factor * r, elementwise, dense: a scaled residual. Inputs: x, r.
class ScaleAdd final : public Operation {
 public:
  explicit ScaleAdd(double factor) : factor_(factor) {}

  double factor() const { return factor_; }

  std::string_view kind() const override { return "scale_add"; }
  std::string attributes() const override { return fmt::format("{}", factor_); }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  std::optional<int> in_place_input() const override { return 0; }

 private:
  double factor_;
};

Value scale_add(Graph& graph, Value x, Value r, double factor, std::string name);

// Fused: made by passes after autograd, without a gradient.

/// y = max(x + factor * r, 0). Inputs: x, r.
class ScaleAddRelu final : public Operation {
 public:
  explicit ScaleAddRelu(double factor) : factor_(factor) {}

  double factor() const { return factor_; }

  std::string_view kind() const override { return "scale_add_relu"; }
  std::string attributes() const override { return fmt::format("{}", factor_); }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::optional<int> in_place_input() const override { return 0; }

 private:
  double factor_;
};

/// dx = dy + dy2 where y > 0, else 0, and dr = factor * dx. Inputs: dy, y, and dy2 where y was read twice;
/// outputs: dx, dr.
class ScaleAddReluGradient final : public Operation {
 public:
  explicit ScaleAddReluGradient(double factor) : factor_(factor) {}

  double factor() const { return factor_; }

  std::string_view kind() const override { return "scale_add_relu_gradient"; }
  std::string attributes() const override { return fmt::format("{}", factor_); }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::optional<int> in_place_input() const override { return 0; }

 private:
  double factor_;
};

}  // namespace fastnn
