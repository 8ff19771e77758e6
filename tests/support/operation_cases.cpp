#include "tests/support/operation_cases.h"

#include <fmt/format.h>

#include "engine/graph/ops/add.h"
#include "engine/graph/ops/bias_add.h"
#include "engine/graph/ops/cast.h"
#include "engine/graph/ops/conv2d.h"
#include "engine/graph/ops/dense.h"
#include "engine/graph/ops/drop_path.h"
#include "engine/graph/ops/dropout.h"
#include "engine/graph/ops/max_pool.h"
#include "engine/graph/ops/relu.h"
#include "engine/graph/ops/reshape.h"
#include "engine/graph/ops/softmax.h"
#include "engine/graph/ops/softmax_cross_entropy.h"
#include "tests/support/case_groups.h"

namespace fastnn::tests {
namespace {

using Operands = std::vector<Value>;
using Role = CaseOperand::Role;

struct ConvolutionRow {
  Shape x;
  Shape w;
  WindowAttributes window;
  bool real_layer = false;
};

std::string text_of_window(const WindowAttributes& window) {
  return fmt::format("stride {}x{} {} dilation {}x{}", window.stride[0], window.stride[1],
                     window.padding == Padding::same ? "same" : "valid", window.dilation[0],
                     window.dilation[1]);
}

void add_convolutions(std::vector<OperationCase>& cases) {
  const ConvolutionRow rows[] = {
      {{2, 5, 4, 3}, {1, 1, 3, 4}, {}},
      {{2, 7, 5, 3}, {3, 3, 3, 5}, {}},
      {{1, 1, 1, 1}, {1, 1, 1, 1}, {}},
      {{3, 9, 7, 17}, {3, 2, 17, 19}, {.stride = {2, 1}}},
      {{2, 8, 8, 4}, {3, 3, 4, 33}, {.stride = {2, 2}}},
      {{2, 9, 11, 3}, {5, 3, 3, 7}, {.stride = {3, 2}, .padding = Padding::valid}},
      {{1, 11, 9, 2}, {3, 3, 2, 3}, {.padding = Padding::same, .dilation = {2, 2}}},
      {{4, 28, 28, 3}, {5, 5, 3, 32}, {}, true},
      {{64, 14, 14, 32}, {5, 5, 32, 64}, {}, true},
  };
  for (const auto& [x, w, window, real_layer] : rows)
    cases.push_back(
        {.name = fmt::format("conv2d x {} w {} {}", x.text(), w.text(), text_of_window(window)),
         .operands = {{"x", x}, {"w", w, Role::variable}},
         .build = [window = window](Graph& graph,
                                    const Operands& o) { return conv2d(graph, o[0], o[1], window, "y"); },
         .real_layer = real_layer});
}

struct PoolRow {
  Shape x;
  std::array<int, 2> kernel;
  WindowAttributes window;
  bool real_layer = false;
};

void add_pools(std::vector<OperationCase>& cases) {
  const PoolRow rows[] = {
      {{2, 4, 4, 3}, {2, 2}, {.stride = {2, 2}, .padding = Padding::valid}},
      {{1, 5, 7, 1}, {2, 2}, {.stride = {2, 2}, .padding = Padding::valid}},
      {{2, 5, 6, 9}, {3, 3}, {.stride = {2, 2}}},
      {{1, 7, 5, 17}, {3, 2}, {.stride = {1, 1}}},
      {{2, 6, 6, 8}, {1, 1}, {.stride = {2, 2}}},
      {{64, 28, 28, 32}, {2, 2}, {.stride = {2, 2}, .padding = Padding::valid}, true},
  };
  for (const auto& [x, kernel, window, real_layer] : rows)
    cases.push_back(
        {.name = fmt::format("max_pool x {} {}", x.text(), text_of(kernel, window)),
         .operands = {{.name = "x", .shape = x, .distinct = true}},
         .build = [kernel = kernel, window = window](
                      Graph& graph, const Operands& o) { return max_pool(graph, o[0], kernel, window, "y"); },
         .real_layer = real_layer});
}

struct DenseRow {
  std::int64_t N;
  std::int64_t C;
  std::int64_t K;
  bool real_layer = false;
};

void add_dense(std::vector<OperationCase>& cases) {
  const DenseRow rows[] = {{1, 1, 1}, {3, 7, 5}, {2, 17, 33}, {64, 3136, 1024, true}, {64, 1024, 10, true}};
  for (const auto& [N, C, K, real_layer] : rows)
    cases.push_back({.name = fmt::format("dense {}x{}x{}", N, C, K),
                     .operands = {{"x", {N, C}}, {"w", {C, K}, Role::variable}},
                     .build = [](Graph& graph, const Operands& o) { return dense(graph, o[0], o[1], "y"); },
                     .real_layer = real_layer});
}

void add_elementwise(std::vector<OperationCase>& cases) {
  for (const Shape& x :
       {Shape{1, 1}, Shape{3, 5, 7, 2}, Shape{2, 3, 3, 17}, Shape{7, 33}, Shape{64, 28, 28, 32}}) {
    const bool real_layer = x.elements() > 1000;
    cases.push_back(
        {.name = fmt::format("add {}", x.text()),
         .operands = {{"a", x}, {"b", x}},
         .build = [](Graph& graph,
                     const Operands& o) { return graph.add_single("y", std::make_shared<Add>(), o); },
         .real_layer = real_layer});
    cases.push_back(
        {.name = fmt::format("bias_add {}", x.text()),
         .operands = {{"x", x}, {"biases", {x[-1]}, Role::variable}},
         .build = [](Graph& graph, const Operands& o) { return bias_add(graph, o[0], o[1], "y"); },
         .real_layer = real_layer});
    cases.push_back({.name = fmt::format("cast {}", x.text()),
                     .operands = {{"x", x}},
                     .build =
                         [](Graph& graph, const Operands& o) {
                           return cast(graph, cast(graph, o[0], Dtype::bf16, "narrow"), Dtype::f32, "y");
                         },
                     .tolerance = kernels::Bfloat16::kRounding,
                     .real_layer = real_layer});
    cases.push_back({.name = fmt::format("relu {}", x.text()),
                     .operands = {{.name = "x", .shape = x, .distinct = true}},
                     .build = [](Graph& graph, const Operands& o) { return relu(graph, o[0], "y"); },
                     .real_layer = real_layer});
    cases.push_back({.name = fmt::format("dropout {}", x.text()),
                     .operands = {{"x", x}},
                     .build = [](Graph& graph, const Operands& o) { return dropout(graph, o[0], 0.5, "y"); },
                     .real_layer = real_layer});
    cases.push_back({.name = fmt::format("drop_path {}", x.text()),
                     .operands = {{"x", x}},
                     .build =
                         [](Graph& graph, const Operands& o) {
                           return drop_path(graph, o[0], {.final_keep_probability = 0.5, .steps = 4}, "y");
                         },
                     .real_layer = real_layer});
  }
  cases.push_back({.name = "reshape [2,3,2,3] to [2,18]",
                   .operands = {{"x", {2, 3, 2, 3}}},
                   .build = [](Graph& graph, const Operands& o) {
                     return relu(graph, reshape(graph, o[0], {2, 18}, "r"), "y");
                   }});
}

void add_losses(std::vector<OperationCase>& cases) {
  for (const Shape& logits : {Shape{1, 1}, Shape{3, 6}, Shape{5, 17}, Shape{64, 10}, Shape{64, 1001}}) {
    const bool real_layer = logits.elements() > 1000;
    cases.push_back({.name = fmt::format("softmax {}", logits.text()),
                     .operands = {{.name = "x", .shape = logits, .scale = 4.0}},
                     .build = [](Graph& graph, const Operands& o) { return softmax(graph, o[0], "y"); },
                     .real_layer = real_layer});
    for (const double smoothing : {0.0, 0.1})
      cases.push_back({.name = fmt::format("softmax_cross_entropy {} smoothing {}", logits.text(), smoothing),
                       .operands = {{.name = "logits", .shape = logits, .scale = 4.0},
                                    {"labels", {logits[0]}, Role::labels, static_cast<double>(logits[1])},
                                    {"valid_count", {}, Role::valid_count, static_cast<double>(logits[0])}},
                       .build =
                           [smoothing](Graph& graph, const Operands& o) {
                             return softmax_cross_entropy(graph, {o[0], o[1], o[2]}, smoothing, "y");
                           },
                       .real_layer = real_layer});
  }
}

}  // namespace

const std::vector<OperationCase>& operation_cases() {
  static const std::vector<OperationCase> cases = [] {
    std::vector<OperationCase> all;
    add_convolutions(all);
    add_pools(all);
    add_dense(all);
    add_elementwise(all);
    add_losses(all);
    add_batch_norm_cases(all);
    add_window_cases(all);
    return all;
  }();
  return cases;
}

}  // namespace fastnn::tests
