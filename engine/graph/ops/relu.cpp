#include "engine/graph/ops/relu.h"

namespace fastnn {

std::vector<OperandSpec> Relu::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  return {inputs[0]};
}

std::vector<Value> Relu::gradient(const GradientRequest& request) const {
  return {request.graph.add_single(request.name("input"), std::make_shared<ReluGradient>(),
                                   {request.output_gradients[0], request.node.outputs[0]})};
}

std::vector<OperandSpec> ReluGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  if (inputs[0] != inputs[1])
    throw UsageError("[relu_gradient] shapes must be equal, got {} and {}", inputs[0].shape.text(),
                     inputs[1].shape.text());
  return {inputs[0]};
}

Value relu(Graph& graph, Value x, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<Relu>(), {x});
}

}  // namespace fastnn
