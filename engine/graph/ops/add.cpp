#include "engine/graph/ops/add.h"

namespace fastnn {

std::vector<OperandSpec> Add::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  if (inputs[0] != inputs[1])
    throw UsageError("[add] shapes must be equal, got {} and {}", inputs[0].shape.text(),
                     inputs[1].shape.text());
  return {inputs[0]};
}

std::vector<Value> Add::gradient(const GradientRequest& request) const {
  const Value dy = request.output_gradients[0];
  return {request.wanted[0] ? dy : Value{}, request.wanted[1] ? dy : Value{}};
}

}  // namespace fastnn
