#include "engine/graph/ops/bias_add.h"

namespace fastnn {

std::vector<OperandSpec> BiasAdd::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  const auto& [x, biases] = std::pair(inputs[0].shape, inputs[1].shape);
  if (x.rank() < 1 || biases.rank() != 1 || biases[0] != x[-1])
    throw UsageError("[bias_add] expected one bias per channel, got x {}, biases {}", x.text(),
                     biases.text());
  return {inputs[0]};
}

std::vector<Value> BiasAdd::gradient(const GradientRequest& request) const {
  const Value dy = request.output_gradients[0];
  std::vector<Value> gradients(2);
  if (request.wanted[0]) gradients[0] = dy;
  if (request.wanted[1])
    gradients[1] = request.graph.add_single(request.name("biases"), std::make_shared<BiasGradient>(), {dy});
  return gradients;
}

std::vector<OperandSpec> BiasGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  return {{Shape{inputs[0].shape[-1]}}};
}

double BiasGradient::flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec>) const {
  return static_cast<double>(inputs[0].shape.elements());
}

Value bias_add(Graph& graph, Value x, Value biases, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<BiasAdd>(), {x, biases});
}

}  // namespace fastnn
