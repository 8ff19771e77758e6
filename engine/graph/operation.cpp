#include "engine/graph/operation.h"

namespace fastnn {

std::vector<Value> Operation::gradient(const GradientRequest& request) const {
  throw UsageError("[autograd] {} ({}) has no gradient", request.node.name, kind());
}

double Operation::flops(std::span<const OperandSpec>, std::span<const OperandSpec> outputs) const {
  return outputs.empty() ? 0.0 : static_cast<double>(outputs.front().shape.elements());
}

std::int64_t Operation::elements_read(std::size_t input, std::span<const OperandSpec> inputs,
                                      std::span<const OperandSpec>) const {
  return inputs[input].shape.elements();
}

void Operation::require_inputs(std::span<const OperandSpec> inputs, std::size_t count) const {
  if (inputs.size() != count)
    throw UsageError("[{}] expected {} inputs, got {}", kind(), count, inputs.size());
}

}  // namespace fastnn
