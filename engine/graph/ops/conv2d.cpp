#include "engine/graph/ops/conv2d.h"

namespace fastnn {
namespace {

/// A multiply-add per tap of every output element.
double convolution_flops(const Shape& w, const Shape& y) {
  return 2.0 * static_cast<double>(w.elements()) * static_cast<double>(y.elements() / y[-1]);
}

}  // namespace

std::string Conv2d::attributes() const {
  return padding_text(window_) + " /" + std::to_string(window_.stride[0]);
}

std::vector<OperandSpec> Conv2d::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  const Shape& x = inputs[0].shape;
  const Shape& w = inputs[1].shape;
  if (x.rank() != 4 || w.rank() != 4 || x[3] != w[2])
    throw UsageError("[conv2d] expected x [N,H,W,C] and w [R,S,C,K] with the same C, got x {}, w {}",
                     x.text(), w.text());
  const auto [window, channels] = place_convolution(x, w, window_);
  return {{Shape{x[0], window.P, window.Q, channels}, inputs[0].dtype}};
}

std::vector<Value> Conv2d::gradient(const GradientRequest& request) const {
  const auto [x, w] = std::pair(request.node.inputs[0], request.node.inputs[1]);
  const Value dy = request.output_gradients[0];
  Graph& graph = request.graph;
  std::vector<Value> gradients(2);
  if (request.wanted[0])
    gradients[0] = graph.add_single(request.name("input"),
                                    std::make_shared<Conv2dInputGradient>(window_, graph.shape(x)), {dy, w});
  if (request.wanted[1])
    gradients[1] = graph.add_single(request.name("weights"),
                                    std::make_shared<Conv2dWeightGradient>(window_, graph.shape(w)), {x, dy});
  return gradients;
}

double Conv2d::flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const {
  return convolution_flops(inputs[1].shape, outputs[0].shape);
}

std::vector<OperandSpec> Conv2dInputGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  return {{x_, inputs[0].dtype}};
}

double Conv2dInputGradient::flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec>) const {
  return convolution_flops(inputs[1].shape, inputs[0].shape);
}

std::vector<OperandSpec> Conv2dWeightGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  return {{w_}};
}

double Conv2dWeightGradient::flops(std::span<const OperandSpec> inputs,
                                   std::span<const OperandSpec> outputs) const {
  return convolution_flops(outputs[0].shape, inputs[1].shape);
}

Value conv2d(Graph& graph, Value x, Value w, WindowAttributes window, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<Conv2d>(window), {x, w});
}

}  // namespace fastnn
