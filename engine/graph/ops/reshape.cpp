#include "engine/graph/ops/reshape.h"

namespace fastnn {

std::vector<OperandSpec> Reshape::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  if (inputs[0].shape.elements() != shape_.elements())
    throw UsageError("[reshape] {} has {} elements, {} has {}", inputs[0].shape.text(),
                     inputs[0].shape.elements(), shape_.text(), shape_.elements());
  return {{shape_, inputs[0].dtype}};
}

std::vector<Value> Reshape::gradient(const GradientRequest& request) const {
  return {reshape(request.graph, request.output_gradients[0], request.graph.shape(request.node.inputs[0]),
                  request.name("input"))};
}

Value reshape(Graph& graph, Value x, Shape shape, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<Reshape>(shape), {x});
}

}  // namespace fastnn
