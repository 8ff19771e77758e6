#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// The same elements under another shape with as many; a view. x: dense.
class Reshape final : public Operation {
 public:
  explicit Reshape(Shape shape) : shape_(shape) {}

  std::string_view kind() const override { return "reshape"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  bool is_view() const override { return true; }
  double flops(std::span<const OperandSpec>, std::span<const OperandSpec>) const override { return 0; }

 private:
  Shape shape_;
};

Value reshape(Graph& graph, Value x, Shape shape, std::string name);

}  // namespace fastnn
