#include "engine/graph/ops/avg_pool.h"

namespace fastnn {
namespace {

double window_flops(const std::array<int, 2>& kernel, const Shape& y) {
  return static_cast<double>(y.elements()) * kernel[0] * kernel[1];
}

}  // namespace

std::vector<OperandSpec> AvgPool::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  if (window_.dilation != std::array{1, 1})
    throw UsageError("[avg_pool] no dilation, got {}", text_of(kernel_, window_));
  const Shape& x = inputs[0].shape;
  const auto window = place_pool(x, kernel_, window_);
  return {{Shape{x[0], window.P, window.Q, x[3]}, inputs[0].dtype}};
}

std::vector<Value> AvgPool::gradient(const GradientRequest& request) const {
  const Shape& x = request.graph.shape(request.node.inputs[0]);
  return {request.graph.add_single(request.name("input"),
                                   std::make_shared<AvgPoolGradient>(kernel_, window_, x),
                                   {request.output_gradients[0]})};
}

double AvgPool::flops(std::span<const OperandSpec>, std::span<const OperandSpec> outputs) const {
  return window_flops(kernel_, outputs[0].shape);
}

std::vector<OperandSpec> AvgPoolGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  return {{x_, inputs[0].dtype}};
}

double AvgPoolGradient::flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec>) const {
  return window_flops(kernel_, inputs[0].shape);
}

Value avg_pool(Graph& graph, Value x, std::array<int, 2> kernel, WindowAttributes window, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<AvgPool>(kernel, window), {x});
}

Value global_avg_pool(Graph& graph, Value x, std::string name) {
  const Shape& image = graph.shape(x);
  if (image.rank() != 4)
    throw UsageError("[global_avg_pool] expected an image [N,H,W,C], got {} ({})", image.text(), name);
  const std::array kernel{static_cast<int>(image[1]), static_cast<int>(image[2])};
  return avg_pool(graph, x, kernel, {.padding = Padding::valid}, std::move(name));
}

}  // namespace fastnn
