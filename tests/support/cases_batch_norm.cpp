#include "tests/support/cases_batch_norm.h"

#include <fmt/format.h>

#include "engine/graph/ops/batch_norm.h"
#include "engine/graph/ops/relu6.h"
#include "engine/graph/ops/scale.h"
#include "engine/graph/ops/scale_add.h"

namespace fastnn::tests {
namespace {

using Operands = std::vector<Value>;
using Role = CaseOperand::Role;

/// Layers of resnet_v1_50, inception_resnet_v2 and mobilenet_v1, then one pixel, one channel, odd ones, and
/// more channels than a panel of the CPU's kernels has.
const Shape kShapes[] = {{1, 56, 56, 256}, {2, 14, 14, 1024}, {4, 7, 7, 2048},   {1, 112, 112, 64},
                         {1, 71, 71, 192}, {2, 35, 35, 320},  {1, 149, 149, 32}, {5, 1, 1, 3},
                         {1, 1, 1, 4},     {2, 4, 3, 1},      {2, 3, 3, 17},     {3, 2, 2, 33},
                         {1, 3, 1, 1029}};

bool is_real_layer(const Shape& x) {
  return x.elements() > 1000;
}

OperationCase batch_norm_case(const Shape& x, BatchNormScale scale, BatchNormMode mode) {
  const Shape channels{x[-1]};
  const bool with_gamma = scale == BatchNormScale::with_gamma;
  OperationCase result{
      .name = fmt::format("batch_norm {} {} {}", x.text(),
                          mode == BatchNormMode::training ? "training" : "frozen",
                          with_gamma ? "gamma" : "no gamma"),
      .operands =
          {{.name = "x", .shape = x, .scale = 3.0, .offset = 1.0},
           {"beta", channels, Role::variable},
           {"moving_mean", channels, Role::moving},
           {.name = "moving_variance", .shape = channels, .role = Role::moving, .scale = 0.5, .offset = 1.0}},
      .real_layer = is_real_layer(x)};
  if (with_gamma)
    result.operands.push_back(
        {.name = "gamma", .shape = channels, .role = Role::variable, .scale = 0.5, .offset = 1.0});
  result.build = [=](Graph& graph, const Operands& o) {
    const BatchNormVariables variables{o[1], with_gamma ? o[4] : Value{}, o[2], o[3]};
    return batch_norm(graph, o[0], variables, {.decay = 0.9, .mode = mode}, "y");
  };
  return result;
}

}  // namespace

void add_batch_norms(std::vector<OperationCase>& cases) {
  for (const Shape& x : kShapes) {
    cases.push_back(batch_norm_case(x, BatchNormScale::with_gamma, BatchNormMode::training));
    cases.push_back(batch_norm_case(x, BatchNormScale::without_gamma, BatchNormMode::training));
  }
  for (const Shape& x : {Shape{1, 14, 14, 1024}, Shape{2, 3, 3, 17}, Shape{5, 1, 1, 3}, Shape{7, 1}}) {
    cases.push_back(batch_norm_case(x, BatchNormScale::with_gamma, BatchNormMode::frozen));
    cases.push_back(batch_norm_case(x, BatchNormScale::without_gamma, BatchNormMode::frozen));
  }
}

void add_residuals(std::vector<OperationCase>& cases) {
  for (const Shape& x : {Shape{1, 1}, Shape{3, 5, 7, 2}, Shape{2, 3, 3, 17}, Shape{1, 35, 35, 320},
                         Shape{1, 17, 17, 1088}, Shape{1, 112, 112, 32}}) {
    const bool real_layer = is_real_layer(x);
    cases.push_back({.name = fmt::format("relu6 {}", x.text()),
                     .operands = {{.name = "x", .shape = x, .scale = 10.0, .distinct = true}},
                     .build = [](Graph& graph, const Operands& o) { return relu6(graph, o[0], "y"); },
                     .real_layer = real_layer});
    cases.push_back({.name = fmt::format("scale {}", x.text()),
                     .operands = {{"x", x}},
                     .build = [](Graph& graph, const Operands& o) { return scale(graph, o[0], -0.3, "y"); },
                     .real_layer = real_layer});
    cases.push_back(
        {.name = fmt::format("scale_add {}", x.text()),
         .operands = {{"x", x}, {"r", x}},
         .build = [](Graph& graph, const Operands& o) { return scale_add(graph, o[0], o[1], 0.17, "y"); },
         .real_layer = real_layer});
  }
}

}  // namespace fastnn::tests
