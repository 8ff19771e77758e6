#include "engine/graph/ops/depthwise_conv2d.h"

#include "engine/graph/ops/conv2d.h"

namespace fastnn {
namespace {

/// A multiply-add per tap of every output element.
double depthwise_flops(const Shape& w, const Shape& y) {
  return 2.0 * static_cast<double>(w[0] * w[1]) * static_cast<double>(y.elements());
}

}  // namespace

std::string DepthwiseConv2d::attributes() const {
  return padding_text(window_) + " /" + std::to_string(window_.stride[0]);
}

std::vector<OperandSpec> DepthwiseConv2d::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  const Shape& x = inputs[0].shape;
  const Shape& w = inputs[1].shape;
  if (x.rank() != 4 || w.rank() != 4 || x[3] != w[2])
    throw UsageError(
        "[depthwise_conv2d] expected x [N,H,W,C] and w [R,S,C,M] with the same C, got x {}, w {}", x.text(),
        w.text());
  const auto [window, multiplier] = place_depthwise(x, w, window_);
  return {{Shape{x[0], window.P, window.Q, x[3] * multiplier}, inputs[0].dtype}};
}

std::vector<Value> DepthwiseConv2d::gradient(const GradientRequest& request) const {
  const auto [x, w] = std::pair(request.node.inputs[0], request.node.inputs[1]);
  const Value dy = request.output_gradients[0];
  Graph& graph = request.graph;
  std::vector<Value> gradients(2);
  if (request.wanted[0])
    gradients[0] =
        graph.add_single(request.name("input"),
                         std::make_shared<DepthwiseConv2dInputGradient>(window_, graph.shape(x)), {dy, w});
  if (request.wanted[1])
    gradients[1] =
        graph.add_single(request.name("weights"),
                         std::make_shared<DepthwiseConv2dWeightGradient>(window_, graph.shape(w)), {x, dy});
  return gradients;
}

double DepthwiseConv2d::flops(std::span<const OperandSpec> inputs,
                              std::span<const OperandSpec> outputs) const {
  return depthwise_flops(inputs[1].shape, outputs[0].shape);
}

std::vector<OperandSpec> DepthwiseConv2dInputGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  return {{x_, inputs[0].dtype}};
}

double DepthwiseConv2dInputGradient::flops(std::span<const OperandSpec> inputs,
                                           std::span<const OperandSpec>) const {
  return depthwise_flops(inputs[1].shape, inputs[0].shape);
}

std::vector<OperandSpec> DepthwiseConv2dWeightGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  return {{w_}};
}

double DepthwiseConv2dWeightGradient::flops(std::span<const OperandSpec> inputs,
                                            std::span<const OperandSpec> outputs) const {
  return depthwise_flops(outputs[0].shape, inputs[1].shape);
}

Value depthwise_conv2d(Graph& graph, Value x, Value w, WindowAttributes window, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<DepthwiseConv2d>(window), {x, w});
}

Value separable_conv2d(Graph& graph, Value x, const SeparableWeights& weights, WindowAttributes window,
                       const std::string& name) {
  const Value y = depthwise_conv2d(graph, x, weights.depthwise, window, name + "/depthwise");
  const Shape& w = graph.shape(weights.pointwise);
  if (w.rank() != 4 || w[0] != 1 || w[1] != 1)
    throw UsageError("[separable_conv2d] expected pointwise weights [1,1,C*M,K], got {} ({})", w.text(),
                     name);
  return conv2d(graph, y, weights.pointwise, {}, name);
}

}  // namespace fastnn
