#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// y = factor * x, elementwise, dense.
class Scale final : public Operation {
 public:
  explicit Scale(double factor) : factor_(factor) {}

  double factor() const { return factor_; }

  std::string_view kind() const override { return "scale"; }
  std::string attributes() const override { return fmt::format("{}", factor_); }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  std::optional<int> in_place_input() const override { return 0; }

 private:
  double factor_;
};

Value scale(Graph& graph, Value x, double factor, std::string name);

}  // namespace fastnn
