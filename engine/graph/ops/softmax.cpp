#include "engine/graph/ops/softmax.h"

namespace fastnn {

std::vector<OperandSpec> Softmax::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  if (inputs[0].shape.rank() != 2)
    throw UsageError("[softmax] expected [N,C], got {}", inputs[0].shape.text());
  return {inputs[0]};
}

std::vector<Value> Softmax::gradient(const GradientRequest& request) const {
  return {request.graph.add_single(request.name("input"), std::make_shared<SoftmaxGradient>(),
                                   {request.output_gradients[0], request.node.outputs[0]})};
}

std::vector<OperandSpec> SoftmaxGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  return {inputs[0]};
}

Value softmax(Graph& graph, Value x, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<Softmax>(), {x});
}

}  // namespace fastnn
