#include <fmt/format.h>

#include "engine/graph/ops/batch_norm.h"
#include "engine/graph/ops/relu6.h"
#include "engine/graph/ops/scale.h"
#include "engine/graph/ops/scale_add.h"
#include "tests/support/case_groups.h"

namespace fastnn::tests {
namespace {

using Operands = std::vector<Value>;
using Role = CaseOperand::Role;

struct NormRow {
  Shape x;
  BatchNormScale scale = BatchNormScale::with_gamma;
  bool real_layer = false;
};

const NormRow kNorms[] = {
    {{1, 1, 1, 1}},
    {{4, 1, 1, 3}},
    {{2, 3, 5, 3}, BatchNormScale::without_gamma},
    {{3, 2, 2, 17}},
    {{2, 2, 3, 33}, BatchNormScale::without_gamma},
    {{2, 112, 112, 64}, BatchNormScale::with_gamma, true},
    {{2, 56, 56, 256}, BatchNormScale::with_gamma, true},
    {{2, 35, 35, 320}, BatchNormScale::without_gamma, true},
    {{4, 14, 14, 1024}, BatchNormScale::with_gamma, true},
    {{4, 7, 7, 2048}, BatchNormScale::with_gamma, true},
};

void add_norm(std::vector<OperationCase>& cases, const NormRow& row, BatchNormMode mode) {
  const bool has_gamma = row.scale == BatchNormScale::with_gamma;
  const Shape channels{row.x[-1]};
  OperationCase result{
      .name = fmt::format("batch_norm {} {} {}", row.x.text(), has_gamma ? "gamma" : "no gamma",
                          mode == BatchNormMode::training ? "training" : "frozen"),
      .operands = {{.name = "x", .shape = row.x, .scale = 3.0},
                   {.name = "beta", .shape = channels, .role = Role::variable},
                   {.name = "moving_mean", .shape = channels, .role = Role::statistic},
                   {.name = "moving_variance",
                    .shape = channels,
                    .role = Role::statistic,
                    .scale = 0.5,
                    .offset = 1.0}}};
  if (has_gamma)
    result.operands.push_back({.name = "gamma", .shape = channels, .role = Role::variable, .offset = 1.5});
  result.build = [has_gamma, mode](Graph& graph, const Operands& o) {
    const BatchNormVariables variables{
        .beta = o[1], .gamma = has_gamma ? o[4] : Value{}, .moving_mean = o[2], .moving_variance = o[3]};
    return batch_norm(graph, o[0], variables, {.mode = mode}, "y");
  };
  result.real_layer = row.real_layer;
  cases.push_back(std::move(result));
}

void add_residuals(std::vector<OperationCase>& cases, const Shape& x) {
  const bool real_layer = x.elements() > 1000;
  cases.push_back({.name = fmt::format("relu6 {}", x.text()),
                   .operands = {{.name = "x", .shape = x, .scale = 10.0, .distinct = true}},
                   .build = [](Graph& graph, const Operands& o) { return relu6(graph, o[0], "y"); },
                   .real_layer = real_layer});
  cases.push_back(
      {.name = fmt::format("scale_add {}", x.text()),
       .operands = {{"x", x}, {"r", x}},
       .build = [](Graph& graph, const Operands& o) { return scale_add(graph, o[0], o[1], 0.17, "y"); },
       .real_layer = real_layer});
}

}  // namespace

void add_batch_norm_cases(std::vector<OperationCase>& cases) {
  for (const NormRow& row : kNorms)
    for (const BatchNormMode mode : {BatchNormMode::training, BatchNormMode::frozen})
      add_norm(cases, row, mode);
  for (const Shape& x : {Shape{1, 1}, Shape{2, 3, 3, 17}, Shape{7, 33}, Shape{2, 17, 17, 384}})
    add_residuals(cases, x);
}

}  // namespace fastnn::tests
