#pragma once

#include "engine/graph/graph.h"
#include "engine/graph/ops/window.h"

namespace fastnn {

/// y = the largest value of each window; padding never wins. x: [N,H,W,C] dense; y: [N,P,Q,C] dense; second
/// output: which tap of the window won, u8 [N,P,Q,C], r * S + s, the first in row-major order where several
/// are equal. At most 255 taps.
class MaxPool final : public Operation {
 public:
  MaxPool(std::array<int, 2> kernel, WindowAttributes window) : kernel_(kernel), window_(window) {}

  const std::array<int, 2>& kernel() const { return kernel_; }
  const WindowAttributes& window() const { return window_; }

  std::string_view kind() const override { return "max_pool"; }
  std::string attributes() const override { return text_of(kernel_, window_); }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;

 private:
  std::array<int, 2> kernel_;
  WindowAttributes window_;
};

/// dx of MaxPool: each dy goes to the tap that won. Inputs: dy [N,P,Q,C], taps u8 [N,P,Q,C]; output dx
/// [N,H,W,C].
class MaxPoolGradient final : public Operation {
 public:
  MaxPoolGradient(std::array<int, 2> kernel, WindowAttributes window, Shape x)
      : kernel_(kernel), window_(window), x_(x) {}

  const std::array<int, 2>& kernel() const { return kernel_; }
  const WindowAttributes& window() const { return window_; }

  std::string_view kind() const override { return "max_pool_gradient"; }
  std::string attributes() const override { return text_of(kernel_, window_); }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;

 private:
  std::array<int, 2> kernel_;
  WindowAttributes window_;
  Shape x_;
};

Value max_pool(Graph& graph, Value x, std::array<int, 2> kernel, WindowAttributes window, std::string name);

}  // namespace fastnn
