#include "engine/graph/ops/lrn.h"

#include <fmt/format.h>

#include <cmath>

#include "kernels/lrn.h"

namespace fastnn {
namespace {

// One multiply-add per neighbour, and the power, counted as one operation.
double sums_flops(const LrnAttributes& lrn, const Shape& x) {
  return static_cast<double>(x.elements()) * (2.0 * (2 * lrn.depth_radius + 1) + 4);
}

}  // namespace

Lrn::Lrn(LrnAttributes lrn) : lrn_(lrn) {
  const bool radius_fits = lrn.depth_radius >= 0 && lrn.depth_radius <= kernels::Lrn::kMaxRadius;
  if (!radius_fits || !(lrn.bias > 0) || !(lrn.alpha >= 0) || !std::isfinite(lrn.beta))
    throw UsageError("[lrn] expected depth_radius in [0, {}], bias > 0, alpha >= 0 and a finite beta, got {}",
                     kernels::Lrn::kMaxRadius, attributes());
}

std::string Lrn::attributes() const {
  return fmt::format("depth_radius {} bias {} alpha {} beta {}", lrn_.depth_radius, lrn_.bias, lrn_.alpha,
                     lrn_.beta);
}

std::vector<OperandSpec> Lrn::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  if (inputs[0].shape.rank() < 1) throw UsageError("[lrn] expected x [..., C], got a scalar");
  return {inputs[0]};
}

std::vector<Value> Lrn::gradient(const GradientRequest& request) const {
  return {request.graph.add_single(request.name("input"), std::make_shared<LrnGradient>(lrn_),
                                   {request.output_gradients[0], request.node.inputs[0]})};
}

double Lrn::flops(std::span<const OperandSpec>, std::span<const OperandSpec> outputs) const {
  return sums_flops(lrn_, outputs[0].shape);
}

std::vector<OperandSpec> LrnGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  return {inputs[0]};
}

double LrnGradient::flops(std::span<const OperandSpec>, std::span<const OperandSpec> outputs) const {
  return 2 * sums_flops(lrn_, outputs[0].shape);
}

Value lrn(Graph& graph, Value x, LrnAttributes attributes, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<Lrn>(attributes), {x});
}

}  // namespace fastnn
