#include "engine/graph/ops/max_pool.h"

namespace fastnn {

std::vector<OperandSpec> MaxPool::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  const Shape& x = inputs[0].shape;
  if (kernel_[0] * kernel_[1] > 255)
    throw UsageError("[max_pool] at most 255 taps, got a window of {}x{}", kernel_[0], kernel_[1]);
  const auto window = place_pool(x, kernel_, window_);
  const Shape y{x[0], window.P, window.Q, x[3]};
  return {{y, inputs[0].dtype}, {y, Dtype::u8}};
}

std::vector<Value> MaxPool::gradient(const GradientRequest& request) const {
  const Shape& x = request.graph.shape(request.node.inputs[0]);
  return {request.graph.add_single(request.name("input"),
                                   std::make_shared<MaxPoolGradient>(kernel_, window_, x),
                                   {request.output_gradients[0], request.node.outputs[1]})};
}

double MaxPool::flops(std::span<const OperandSpec>, std::span<const OperandSpec> outputs) const {
  return static_cast<double>(outputs[0].shape.elements()) * kernel_[0] * kernel_[1];
}

std::vector<OperandSpec> MaxPoolGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  return {{x_, inputs[0].dtype}};
}

Value max_pool(Graph& graph, Value x, std::array<int, 2> kernel, WindowAttributes window, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<MaxPool>(kernel, window), {x});
}

}  // namespace fastnn
