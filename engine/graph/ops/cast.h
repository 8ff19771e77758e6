#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// y = x in another floating-point type, rounded to nearest even; a NaN stays one. The gradient is cast back.
class Cast final : public Operation {
 public:
  explicit Cast(Dtype to) : to_(to) {}

  std::string_view kind() const override { return "cast"; }
  std::string attributes() const override { return "to " + std::string(name_of(to_)); }
  /// Throws UsageError unless both types are f32 or bf16.
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;

 private:
  Dtype to_;
};

Value cast(Graph& graph, Value x, Dtype to, std::string name);

}  // namespace fastnn
