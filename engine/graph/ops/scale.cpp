#include "engine/graph/ops/scale.h"

namespace fastnn {

std::vector<OperandSpec> Scale::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  return {inputs[0]};
}

std::vector<Value> Scale::gradient(const GradientRequest& request) const {
  return {scale(request.graph, request.output_gradients[0], factor_, request.name("input"))};
}

Value scale(Graph& graph, Value x, double factor, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<Scale>(factor), {x});
}

}  // namespace fastnn
