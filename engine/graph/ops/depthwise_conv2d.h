#pragma once

#include "engine/graph/graph.h"
#include "engine/graph/ops/window.h"

namespace fastnn {

/// Each channel has filters of its own, as TensorFlow's depthwise_conv2d: y[.., c*M+m] is the convolution of
/// channel c with w[:,:,c,m]. x: [N,H,W,C] dense; w: [R,S,C,M], M the depth multiplier; y: [N,P,Q,C*M] dense.
class DepthwiseConv2d final : public Operation {
 public:
  explicit DepthwiseConv2d(WindowAttributes window) : window_(window) {}

  const WindowAttributes& window() const { return window_; }

  std::string_view kind() const override { return "depthwise_conv2d"; }
  std::string attributes() const override;
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;

 private:
  WindowAttributes window_;
};

/// dx of DepthwiseConv2d. Inputs: dy [N,P,Q,C*M], w [R,S,C,M]; output dx [N,H,W,C].
class DepthwiseConv2dInputGradient final : public Operation {
 public:
  DepthwiseConv2dInputGradient(WindowAttributes window, Shape x) : window_(window), x_(x) {}

  const WindowAttributes& window() const { return window_; }

  std::string_view kind() const override { return "depthwise_conv2d_input_gradient"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;

 private:
  WindowAttributes window_;
  Shape x_;
};

/// dw of DepthwiseConv2d. Inputs: x [N,H,W,C], dy [N,P,Q,C*M]; output dw [R,S,C,M], native.
class DepthwiseConv2dWeightGradient final : public Operation {
 public:
  DepthwiseConv2dWeightGradient(WindowAttributes window, Shape w) : window_(window), w_(w) {}

  const WindowAttributes& window() const { return window_; }

  std::string_view kind() const override { return "depthwise_conv2d_weight_gradient"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;

 private:
  WindowAttributes window_;
  Shape w_;
};

Value depthwise_conv2d(Graph& graph, Value x, Value w, WindowAttributes window, std::string name);

/// Weights of a separable convolution: depthwise [R,S,C,M], pointwise [1,1,C*M,K].
struct SeparableWeights {
  Value depthwise;
  Value pointwise;
};

/// A depthwise convolution ("<name>/depthwise", which takes stride, padding and dilation) followed by a 1x1
/// convolution (named 'name'), as TensorFlow's separable_conv2d. y: [N,P,Q,K].
Value separable_conv2d(Graph& graph, Value x, const SeparableWeights& weights, WindowAttributes window,
                       const std::string& name);

}  // namespace fastnn
