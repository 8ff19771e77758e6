#include "engine/graph/ops/scale_add.h"

#include "engine/graph/ops/channels.h"
#include "engine/graph/ops/scale.h"

namespace fastnn {

std::vector<OperandSpec> ScaleAdd::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  require_equal(kind(), inputs);
  return {inputs[0]};
}

std::vector<Value> ScaleAdd::gradient(const GradientRequest& request) const {
  const Value dy = request.output_gradients[0];
  std::vector<Value> gradients(2);
  if (request.wanted[0]) gradients[0] = dy;
  if (request.wanted[1]) gradients[1] = scale(request.graph, dy, factor_, request.name("residual"));
  return gradients;
}

Value scale_add(Graph& graph, Value x, Value r, double factor, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<ScaleAdd>(factor), {x, r});
}

std::vector<OperandSpec> ScaleAddRelu::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  require_equal(kind(), inputs);
  return {inputs[0]};
}

std::vector<OperandSpec> ScaleAddReluGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_input_count(kind(), inputs.size(), 2, 1);
  require_equal(kind(), inputs);
  return {inputs[0], inputs[0]};
}

}  // namespace fastnn
