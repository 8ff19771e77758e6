#pragma once

#include "engine/graph/graph.h"
#include "engine/graph/ops/window.h"

namespace fastnn {

/// y = mean of the pixels of each window that lie inside x: padding does not count, as TensorFlow's SAME has
/// it. x: [N,H,W,C] dense; y: [N,P,Q,C] dense. No dilation.
class AvgPool final : public Operation {
 public:
  AvgPool(std::array<int, 2> kernel, WindowAttributes window) : kernel_(kernel), window_(window) {}

  const std::array<int, 2>& kernel() const { return kernel_; }
  const WindowAttributes& window() const { return window_; }

  std::string_view kind() const override { return "avg_pool"; }
  std::string attributes() const override { return text_of(kernel_, window_); }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;

 private:
  std::array<int, 2> kernel_;
  WindowAttributes window_;
};

/// dx of AvgPool: each dy goes in equal parts to the pixels of its window. Input: dy [N,P,Q,C]; output dx
/// [N,H,W,C].
class AvgPoolGradient final : public Operation {
 public:
  AvgPoolGradient(std::array<int, 2> kernel, WindowAttributes window, Shape x)
      : kernel_(kernel), window_(window), x_(x) {}

  const std::array<int, 2>& kernel() const { return kernel_; }
  const WindowAttributes& window() const { return window_; }

  std::string_view kind() const override { return "avg_pool_gradient"; }
  std::string attributes() const override { return text_of(kernel_, window_); }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;

 private:
  std::array<int, 2> kernel_;
  WindowAttributes window_;
  Shape x_;
};

Value avg_pool(Graph& graph, Value x, std::array<int, 2> kernel, WindowAttributes window, std::string name);

/// Mean over all pixels: x [N,H,W,C], y [N,1,1,C].
Value global_avg_pool(Graph& graph, Value x, std::string name);

}  // namespace fastnn
