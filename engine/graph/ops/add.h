#pragma once

#include "engine/graph/operation.h"

namespace fastnn {

/// y = a + b, elementwise. a, b, y: the same shape, any layout.
class Add final : public Operation {
 public:
  std::string_view kind() const override { return "add"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  std::optional<int> in_place_input() const override { return 0; }
};

}  // namespace fastnn
