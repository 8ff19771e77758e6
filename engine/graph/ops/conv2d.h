#pragma once

#include "engine/graph/graph.h"
#include "engine/graph/ops/window.h"

namespace fastnn {

/// y = x * w, cross-correlation as TensorFlow's conv2d. x: [N,H,W,C] dense; w: [R,S,C,K]; y: [N,P,Q,K] dense.
class Conv2d final : public Operation {
 public:
  explicit Conv2d(WindowAttributes window) : window_(window) {}

  const WindowAttributes& window() const { return window_; }

  std::string_view kind() const override { return "conv2d"; }
  std::string attributes() const override;
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;

 private:
  WindowAttributes window_;
};

/// dx of Conv2d. Inputs: dy [N,P,Q,K], w [R,S,C,K]; output dx [N,H,W,C].
class Conv2dInputGradient final : public Operation {
 public:
  Conv2dInputGradient(WindowAttributes window, Shape x) : window_(window), x_(x) {}

  const WindowAttributes& window() const { return window_; }

  std::string_view kind() const override { return "conv2d_input_gradient"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;

 private:
  WindowAttributes window_;
  Shape x_;
};

/// dw of Conv2d. Inputs: x [N,H,W,C], dy [N,P,Q,K]; output dw [R,S,C,K], native.
class Conv2dWeightGradient final : public Operation {
 public:
  Conv2dWeightGradient(WindowAttributes window, Shape w) : window_(window), w_(w) {}

  const WindowAttributes& window() const { return window_; }

  std::string_view kind() const override { return "conv2d_weight_gradient"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;

 private:
  WindowAttributes window_;
  Shape w_;
};

Value conv2d(Graph& graph, Value x, Value w, WindowAttributes window, std::string name);

}  // namespace fastnn
