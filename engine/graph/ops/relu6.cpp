#include "engine/graph/ops/relu6.h"

#include "engine/graph/ops/channels.h"

namespace fastnn {

std::vector<OperandSpec> Relu6::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  return {inputs[0]};
}

std::vector<Value> Relu6::gradient(const GradientRequest& request) const {
  return {request.graph.add_single(request.name("input"), std::make_shared<Relu6Gradient>(),
                                   {request.output_gradients[0], request.node.outputs[0]})};
}

std::vector<OperandSpec> Relu6Gradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  require_equal(kind(), inputs);
  return {inputs[0]};
}

Value relu6(Graph& graph, Value x, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<Relu6>(), {x});
}

}  // namespace fastnn
