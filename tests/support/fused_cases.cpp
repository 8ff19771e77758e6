#include "tests/support/fused_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "engine/graph/ops/add.h"
#include "engine/graph/ops/batch_norm_apply.h"
#include "engine/graph/ops/batch_norm_fused.h"
#include "engine/graph/ops/batch_norm_gradient.h"
#include "engine/graph/ops/batch_norm_statistics.h"
#include "engine/graph/ops/bias_add.h"
#include "engine/graph/ops/bias_relu.h"
#include "engine/graph/ops/moving_average_update.h"
#include "engine/graph/ops/relu.h"
#include "engine/graph/ops/relu6.h"
#include "engine/graph/ops/scale.h"
#include "engine/graph/ops/scale_add.h"

namespace fastnn::tests {
namespace {

using Values = std::vector<Value>;
using kernels::Activation;
using kernels::ActivationMask;

const std::array kShapes = {Shape{1, 1, 1, 1}, Shape{2, 3, 5, 3}, Shape{3, 2, 2, 17}, Shape{2, 9, 7, 64}};

template <class Op, class... Arguments>
Values add(Graph& graph, const char* name, Values inputs, Arguments&&... arguments) {
  return graph.add(name, std::make_shared<Op>(std::forward<Arguments>(arguments)...), std::move(inputs));
}

/// Input 0 is x, 1 to 4 are mean, rstd, beta, gamma.
Value normalized(Graph& graph, const Values& in) {
  return add<BatchNormApply>(graph, "norm", {in.begin(), in.begin() + 5}, BatchStatistics::batch)[0];
}

Value activate(Graph& graph, Activation activation, Value x) {
  if (activation == Activation::none) return x;
  return activation == Activation::relu6 ? relu6(graph, x, "activation") : relu(graph, x, "activation");
}

Value activation_gradient(Graph& graph, Activation activation, Value dy, Value y) {
  return activation == Activation::relu6 ? add<Relu6Gradient>(graph, "dz", {dy, y})[0]
                                         : add<ReluGradient>(graph, "dz", {dy, y})[0];
}

std::vector<Shape> with_channels(const Shape& x, std::size_t vectors, std::size_t more_tensors) {
  std::vector<Shape> shapes = {x};
  shapes.insert(shapes.end(), vectors, Shape{x[-1]});
  shapes.insert(shapes.end(), more_tensors, x);
  return shapes;
}

void add_apply(std::vector<FusedCase>& cases, const Shape& x) {
  for (const BatchNormEpilogue epilogue :
       {BatchNormEpilogue{false, Activation::relu}, BatchNormEpilogue{false, Activation::relu6},
        BatchNormEpilogue{true, Activation::none}, BatchNormEpilogue{true, Activation::relu},
        BatchNormEpilogue{true, Activation::relu6}}) {
    const auto composed = [epilogue](Graph& graph, const Values& in) -> Values {
      Value y = normalized(graph, in);
      if (epilogue.residual) y = add<Add>(graph, "sum", {y, in[5]})[0];
      return {activate(graph, epilogue.activation, y)};
    };
    const auto fused = [epilogue](Graph& graph, const Values& in) {
      return add<BatchNormApplyFused>(graph, "y", in, epilogue);
    };
    cases.push_back(
        {fmt::format("batch_norm_apply_fused {} {}", x.text(), BatchNormApplyFused(epilogue).attributes()),
         with_channels(x, 4, epilogue.residual ? 1 : 0), composed, fused});
  }
}

/// Inputs: x, mean, rstd, beta, gamma, dy, dy2, y (the result of a forward pass).
FusedCase reduce_case(const Shape& x, const BatchNormGradientSource& source) {
  const auto composed = [source](Graph& graph, const Values& in) -> Values {
    Value dz = source.gradients == 2 ? add<Add>(graph, "sum", {in[5], in[6]})[0] : in[5];
    if (source.mask == ActivationMask::input)
      dz = activation_gradient(graph, source.activation, dz,
                               activate(graph, source.activation, normalized(graph, in)));
    if (source.mask == ActivationMask::output) dz = activation_gradient(graph, source.activation, dz, in[7]);
    Values result = add<BatchNormGradientReduce>(graph, "reduce", {dz, in[0], in[1], in[2]});
    if (source.keep_dz) result.insert(result.begin(), dz);
    return result;
  };
  const auto fused = [source](Graph& graph, const Values& in) {
    Values inputs = {in[5]};
    if (source.gradients == 2) inputs.push_back(in[6]);
    inputs.insert(inputs.end(), {in[0], in[1], in[2]});
    if (source.mask == ActivationMask::input) inputs.insert(inputs.end(), {in[3], in[4]});
    if (source.mask == ActivationMask::output) inputs.push_back(in[7]);
    return add<BatchNormGradientReduceFused>(graph, "reduce", inputs, source);
  };
  const std::string name = fmt::format("batch_norm_gradient_reduce_fused {} {}", x.text(),
                                       BatchNormGradientReduceFused(source).attributes());
  return {name, with_channels(x, 4, 3), composed, fused};
}

void add_reduce(std::vector<FusedCase>& cases, const Shape& x) {
  for (const int gradients : {1, 2})
    for (const bool keep_dz : {false, true}) {
      cases.push_back(reduce_case(x, {.gradients = gradients, .keep_dz = keep_dz}));
      for (const ActivationMask mask : {ActivationMask::input, ActivationMask::output})
        for (const Activation activation : {Activation::relu, Activation::relu6})
          cases.push_back(reduce_case(x, {gradients, mask, activation, keep_dz}));
    }
}

/// Inputs: x, mean, rstd, beta, gamma, d_beta, d_gamma, dy.
void add_gradient_apply(std::vector<FusedCase>& cases, const Shape& x, Activation activation) {
  const auto composed = [activation](Graph& graph, const Values& in) {
    const Value dz =
        activation_gradient(graph, activation, in[7], activate(graph, activation, normalized(graph, in)));
    return add<BatchNormGradientApply>(graph, "dx", {dz, in[0], in[1], in[2], in[5], in[6], in[4]});
  };
  const auto fused = [activation](Graph& graph, const Values& in) {
    return add<BatchNormGradientApplyFused>(
        graph, "dx", {in[7], in[0], in[1], in[2], in[5], in[6], in[3], in[4]}, activation);
  };
  cases.push_back({fmt::format("batch_norm_gradient_apply_fused {} {}", x.text(),
                               BatchNormGradientApplyFused(activation).attributes()),
                   with_channels(x, 6, 1), composed, fused});
}

void add_statistics(std::vector<FusedCase>& cases, const Shape& x) {
  const auto composed = [](Graph& graph, const Values& in) -> Values {
    const Values batch = add<BatchNormStatistics>(graph, "statistics", {in[0]}, 1e-3);
    const Values moving = add<MovingAverageUpdate>(graph, "moving", {batch[0], batch[2], in[1], in[2]}, 0.9);
    return {batch[0], batch[1], batch[2], moving[0], moving[1]};
  };
  cases.push_back({fmt::format("batch_norm_statistics_update {}", x.text()), with_channels(x, 2, 0), composed,
                   [](Graph& graph, const Values& in) {
                     return add<BatchNormStatisticsUpdate>(graph, "statistics", in, 1e-3, 0.9);
                   }});
}

void add_residuals(std::vector<FusedCase>& cases, const Shape& x) {
  cases.push_back({fmt::format("scale_add_relu {}", x.text()),
                   {x, x},
                   [](Graph& graph, const Values& in) -> Values {
                     return {relu(graph, scale_add(graph, in[0], in[1], 0.17, "sum"), "y")};
                   },
                   [](Graph& graph, const Values& in) { return add<ScaleAddRelu>(graph, "y", in, 0.17); }});
  for (const int gradients : {1, 2})
    cases.push_back(
        {fmt::format("scale_add_relu_gradient {} gradients {}", x.text(), gradients),
         std::vector<Shape>(static_cast<std::size_t>(gradients) + 1, x),
         [gradients](Graph& graph, const Values& in) -> Values {
           const Value dy = gradients == 2 ? add<Add>(graph, "sum", {in[0], in[2]})[0] : in[0];
           const Value dx = add<ReluGradient>(graph, "dx", {dy, in[1]})[0];
           return {dx, add<Scale>(graph, "dr", {dx}, 0.17)[0]};
         },
         [](Graph& graph, const Values& in) { return add<ScaleAddReluGradient>(graph, "dx", in, 0.17); }});
}

void add_biases(std::vector<FusedCase>& cases, const Shape& x) {
  cases.push_back({fmt::format("bias_relu {}", x.text()),
                   {x, Shape{x[-1]}},
                   [](Graph& graph, const Values& in) -> Values {
                     return {relu(graph, bias_add(graph, in[0], in[1], "sum"), "y")};
                   },
                   [](Graph& graph, const Values& in) { return add<BiasRelu>(graph, "y", in); }});
  cases.push_back({fmt::format("bias_relu_gradient {}", x.text()),
                   {x, x},
                   [](Graph& graph, const Values& in) -> Values {
                     const Value dz = add<ReluGradient>(graph, "dz", in)[0];
                     return {dz, add<BiasGradient>(graph, "db", {dz})[0]};
                   },
                   [](Graph& graph, const Values& in) { return add<BiasReluGradient>(graph, "dz", in); }});
}

}  // namespace

const std::vector<FusedCase>& fused_cases() {
  static const std::vector<FusedCase> cases = [] {
    std::vector<FusedCase> all;
    for (const Shape& x : kShapes) {
      add_statistics(all, x);
      add_apply(all, x);
      add_reduce(all, x);
      add_gradient_apply(all, x, Activation::relu);
      add_gradient_apply(all, x, Activation::relu6);
      add_residuals(all, x);
      add_biases(all, x);
    }
    return all;
  }();
  return cases;
}

}  // namespace fastnn::tests
