#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// Parameters of local response normalisation, named as TensorFlow's.
struct LrnAttributes {
  int depth_radius = 5;
  double bias = 1;
  double alpha = 1;
  double beta = 0.5;
};

/// y[c] = x[c] * (bias + alpha * sum over j in [c - depth_radius, c + depth_radius] of x[j]^2) ^ -beta,
/// across the channels that exist. x, y: [..., C] dense. Krizhevsky et al. 2012, section 3.3; tf.nn.lrn.
class Lrn final : public Operation {
 public:
  /// Throws UsageError unless depth_radius is in [0, 64], bias > 0 and alpha >= 0.
  explicit Lrn(LrnAttributes lrn);

  const LrnAttributes& lrn() const { return lrn_; }

  std::string_view kind() const override { return "lrn"; }
  std::string attributes() const override;
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;

 private:
  LrnAttributes lrn_;
};

/// dx of Lrn, with the powers computed anew. Inputs: dy, x; output dx, all [..., C].
class LrnGradient final : public Operation {
 public:
  explicit LrnGradient(LrnAttributes lrn) : lrn_(lrn) {}

  const LrnAttributes& lrn() const { return lrn_; }

  std::string_view kind() const override { return "lrn_gradient"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const override;

 private:
  LrnAttributes lrn_;
};

Value lrn(Graph& graph, Value x, LrnAttributes attributes, std::string name);

}  // namespace fastnn
