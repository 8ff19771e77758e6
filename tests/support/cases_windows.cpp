#include <fmt/format.h>

#include "engine/graph/ops/avg_pool.h"
#include "engine/graph/ops/concat.h"
#include "engine/graph/ops/conv2d.h"
#include "engine/graph/ops/depthwise_conv2d.h"
#include "engine/graph/ops/lrn.h"
#include "engine/graph/ops/max_pool.h"
#include "engine/graph/ops/mixed_cross_entropy.h"
#include "engine/graph/ops/slice.h"
#include "tests/support/case_groups.h"

namespace fastnn::tests {
namespace {

using Operands = std::vector<Value>;
using Role = CaseOperand::Role;

constexpr WindowAttributes kOne{}, kTwo{.stride = {2, 2}};
constexpr WindowAttributes kValidTwo{.stride = {2, 2}, .padding = Padding::valid};

bool is_large(const Shape& shape) {
  return shape.elements() > 1000;
}

struct DepthwiseRow {
  Shape x;
  Shape w;
  WindowAttributes window;
};

void add_depthwise(std::vector<OperationCase>& cases) {
  const DepthwiseRow rows[] = {
      {{1, 1, 1, 1}, {1, 1, 1, 1}, kOne},
      {{2, 5, 4, 3}, {3, 3, 3, 1}, kOne},
      {{2, 7, 5, 9}, {3, 3, 9, 1}, kTwo},
      {{1, 7, 6, 17}, {3, 3, 17, 1}, kValidTwo},
      {{1, 6, 5, 2}, {3, 3, 2, 8}, kTwo},
      {{2, 5, 3, 3}, {3, 2, 3, 2}, {.stride = {2, 1}}},
      {{1, 8, 7, 5}, {3, 3, 5, 1}, {.dilation = {2, 2}}},
      {{1, 7, 9, 3}, {5, 5, 3, 1}, kTwo},
      {{1, 6, 5, 4}, {3, 3, 4, 1}, {.stride = {2, 2}, .pads = Pads{1, 1, 1, 1}}},
      // mobilenet_v1
      {{1, 112, 112, 32}, {3, 3, 32, 1}, kOne},
      {{1, 112, 112, 64}, {3, 3, 64, 1}, kTwo},
      {{2, 14, 14, 512}, {3, 3, 512, 1}, kOne},
      {{1, 14, 14, 512}, {3, 3, 512, 1}, kTwo},
      {{2, 7, 7, 1024}, {3, 3, 1024, 1}, kOne},
      // inception_v2's first layer (on part of an image), nasnet_mobile
      {{1, 64, 64, 3}, {7, 7, 3, 8}, kTwo},
      {{1, 28, 28, 44}, {5, 5, 44, 1}, kOne},
      {{1, 28, 28, 44}, {7, 7, 44, 1}, kTwo},
  };
  for (const auto& [x, w, window] : rows)
    cases.push_back({.name = fmt::format("depthwise_conv2d x {} w {} {}", x.text(), w.text(),
                                         text_of({static_cast<int>(w[0]), static_cast<int>(w[1])}, window)),
                     .operands = {{"x", x}, {"w", w, Role::variable}},
                     .build =
                         [window = window](Graph& graph, const Operands& o) {
                           return depthwise_conv2d(graph, o[0], o[1], window, "y");
                         },
                     .real_layer = is_large(x)});
  cases.push_back({.name = "separable_conv2d",
                   .operands = {{"x", {2, 5, 6, 3}},
                                {"dw", {3, 3, 3, 2}, Role::variable},
                                {"pw", {1, 1, 6, 4}, Role::variable}},
                   .build = [](Graph& graph, const Operands& o) {
                     return separable_conv2d(graph, o[0], {o[1], o[2]}, kTwo, "y");
                   }});
}

struct ConvolutionRow {
  Shape x;
  Shape w;
  WindowAttributes window;
};

void add_convolutions(std::vector<OperationCase>& cases) {
  const ConvolutionRow rows[] = {
      {{2, 6, 8, 3}, {3, 3, 3, 5}, {.stride = {2, 2}, .pads = Pads{1, 1, 1, 1}}},
      {{1, 5, 7, 2}, {3, 4, 2, 3}, {.stride = {1, 2}, .pads = Pads{2, 0, 1, 3}}},
      {{1, 9, 9, 2}, {3, 3, 2, 3}, {.stride = {2, 2}, .dilation = {2, 2}, .pads = Pads{2, 2, 2, 2}}},
      {{1, 9, 13, 2}, {3, 3, 2, 3}, {.stride = {4, 5}}},
      // resnet's first layer (on part of an image) and a stride inside its third stage; alexnet_v2's first.
      {{1, 64, 64, 3}, {7, 7, 3, 64}, {.stride = {2, 2}, .pads = Pads{3, 3, 3, 3}}},
      {{1, 28, 28, 128}, {3, 3, 128, 128}, {.stride = {2, 2}, .pads = Pads{1, 1, 1, 1}}},
      {{1, 63, 63, 3}, {11, 11, 3, 64}, {.stride = {4, 4}, .padding = Padding::valid}},
  };
  for (const auto& [x, w, window] : rows)
    cases.push_back(
        {.name = fmt::format("conv2d x {} w {} {}", x.text(), w.text(),
                             text_of({static_cast<int>(w[0]), static_cast<int>(w[1])}, window)),
         .operands = {{"x", x}, {"w", w, Role::variable}},
         .build = [window = window](Graph& graph,
                                    const Operands& o) { return conv2d(graph, o[0], o[1], window, "y"); },
         .real_layer = is_large(x)});
}

struct PoolRow {
  Shape x;
  std::array<int, 2> kernel;
  WindowAttributes window;
};

void add_pools(std::vector<OperationCase>& cases) {
  const PoolRow rows[] = {
      {{1, 1, 1, 1}, {1, 1}, kOne},
      {{2, 5, 6, 3}, {2, 2}, kTwo},
      {{1, 7, 5, 9}, {3, 3}, kTwo},
      {{1, 7, 8, 17}, {3, 3}, kValidTwo},
      {{1, 5, 4, 33}, {3, 3}, kOne},
      {{1, 4, 6, 3}, {5, 5}, kOne},
      {{1, 2, 3, 7}, {3, 3}, kTwo},
      {{1, 9, 7, 2}, {2, 3}, {.stride = {3, 1}, .padding = Padding::valid}},
      {{1, 5, 6, 2}, {1, 1}, kTwo},
      {{1, 6, 5, 3}, {3, 3}, {.stride = {2, 2}, .pads = Pads{1, 1, 1, 1}}},
      // inception_v3 and v4: mixed blocks and reductions; resnet's first pool; cifarnet's.
      {{1, 35, 35, 288}, {3, 3}, kOne},
      {{1, 17, 17, 768}, {3, 3}, kOne},
      {{1, 8, 8, 1280}, {3, 3}, kOne},
      {{1, 35, 35, 288}, {3, 3}, kValidTwo},
      {{1, 17, 17, 768}, {5, 5}, {.stride = {3, 3}, .padding = Padding::valid}},
      {{1, 112, 112, 64}, {3, 3}, kTwo},
      {{2, 24, 24, 64}, {2, 2}, kTwo},
  };
  for (const auto& [x, kernel, window] : rows) {
    cases.push_back(
        {.name = fmt::format("avg_pool x {} {}", x.text(), text_of(kernel, window)),
         .operands = {{"x", x}},
         .build = [kernel = kernel, window = window](
                      Graph& graph, const Operands& o) { return avg_pool(graph, o[0], kernel, window, "y"); },
         .real_layer = is_large(x)});
    cases.push_back(
        {.name = fmt::format("max_pool with borders x {} {}", x.text(), text_of(kernel, window)),
         .operands = {{.name = "x", .shape = x, .distinct = true}},
         .build = [kernel = kernel, window = window](
                      Graph& graph, const Operands& o) { return max_pool(graph, o[0], kernel, window, "y"); },
         .real_layer = is_large(x)});
  }
  for (const Shape& x : {Shape{1, 1, 1, 1}, Shape{2, 3, 5, 7}, Shape{2, 7, 7, 1024}, Shape{1, 8, 8, 2048}})
    cases.push_back(
        {.name = fmt::format("global_avg_pool {}", x.text()),
         .operands = {{"x", x}},
         .build = [](Graph& graph, const Operands& o) { return global_avg_pool(graph, o[0], "y"); },
         .real_layer = is_large(x)});
}

struct LrnRow {
  Shape x;
  LrnAttributes lrn;
  double scale = 1;
};

void add_lrn(std::vector<OperationCase>& cases) {
  constexpr LrnAttributes kCifarnet{.depth_radius = 4, .bias = 1, .alpha = 0.001 / 9, .beta = 0.75};
  constexpr LrnAttributes kAlexnet{.depth_radius = 5, .bias = 1, .alpha = 1e-4, .beta = 0.75};
  const LrnRow rows[] = {
      {{1, 1}, kCifarnet, 30},
      {{2, 3, 17}, kCifarnet, 30},
      {{3, 3}, {.depth_radius = 1, .bias = 2, .alpha = 0.3, .beta = 0.5}},
      {{2, 33}, {.depth_radius = 2, .bias = 0.5, .alpha = 0.7, .beta = 1}},
      {{2, 11}, {.depth_radius = 3, .bias = 1.5, .alpha = 0.4, .beta = 0.6}},
      {{2, 9}, {.depth_radius = 0, .bias = 1, .alpha = 1, .beta = 0.75}},
      {{1, 300}, {.depth_radius = 64, .bias = 1, .alpha = 0.1, .beta = 0.75}},
      {{2, 12, 12, 64}, kCifarnet, 30},
      {{1, 27, 27, 96}, kAlexnet, 100},
      {{7, 513}, kAlexnet, 100},
  };
  for (const auto& [x, attributes, scale] : rows)
    cases.push_back(
        {.name = fmt::format("lrn x {} {}", x.text(), Lrn(attributes).attributes()),
         .operands = {{.name = "x", .shape = x, .scale = scale}},
         .build = [attributes = attributes](Graph& graph,
                                            const Operands& o) { return lrn(graph, o[0], attributes, "y"); },
         .real_layer = is_large(x)});
}

void add_concats(std::vector<OperationCase>& cases) {
  struct Row {
    Shape pixels;
    std::vector<std::int64_t> channels;
  };
  // Ugly ones, then inception_v3's mixed blocks at 35, 17 and 8 pixels.
  const Row rows[] = {{{1}, {1}},
                      {{2, 3, 2}, {2, 1, 3}},
                      {{5}, {7, 9}},
                      {{1, 3, 3}, {17, 8, 1, 16, 5}},
                      {{1, 35, 35}, {64, 64, 96, 32}},
                      {{1, 17, 17}, {192, 192, 192, 192}},
                      {{1, 8, 8}, {320, 384, 384, 448, 192}}};
  for (const auto& [pixels, channels] : rows) {
    OperationCase row{.name = fmt::format("concat of {} at {}", channels.size(), pixels.text()),
                      .build = [](Graph& graph, const Operands& o) { return concat(graph, o, "y"); },
                      .real_layer = pixels.elements() > 50};
    for (const std::int64_t count : channels) {
      std::vector<std::int64_t> extents(pixels.extents().begin(), pixels.extents().end());
      extents.push_back(count);
      row.operands.push_back({fmt::format("x{}", row.operands.size()), Shape(extents)});
    }
    cases.push_back(std::move(row));
  }
}

void add_slices(std::vector<OperationCase>& cases) {
  const auto add = [&](std::string name, const Shape& x, auto build) {
    cases.push_back({.name = fmt::format("{} {}", name, x.text()),
                     .operands = {{"x", x}},
                     .build = [build](Graph& graph, const Operands& o) { return build(graph, o[0]); },
                     .real_layer = is_large(x)});
  };
  for (const Shape& x : {Shape{1, 1, 1, 1}, Shape{2, 5, 7, 3}, Shape{1, 4, 6, 9}, Shape{1, 42, 42, 44}}) {
    add("pad", x, [](Graph& graph, Value v) { return pad(graph, v, {1, 2, 0, 1}, "y"); });
    add("strided_slice", x, [](Graph& graph, Value v) {
      return strided_slice(graph, v, {0, 0}, {2, 3}, "y");
    });
    add("shifted_slice", x, [](Graph& graph, Value v) { return shifted_slice(graph, v, {2, 2}, "y"); });
    add("channel_slice", x, [last = x[-1] - 1](Graph& graph, Value v) {
      return channel_slice(graph, v, {last / 2, last - last / 2 + 1}, "y");
    });
  }
  add("channel_slice", {3, 17}, [](Graph& graph, Value v) { return channel_slice(graph, v, {5, 9}, "y"); });
  add("slice that pads everywhere", {1, 3, 4, 5}, [](Graph& graph, Value v) {
    const SliceAttributes slice{.begin = {-3, -2, -1}, .extent = {5, 6, 9}, .step = {2, 1}};
    return graph.add_single("y", std::make_shared<Slice>(slice), {v});
  });
}

void add_mixed_labels(std::vector<OperationCase>& cases) {
  for (const Shape& logits : {Shape{1, 1}, Shape{3, 6}, Shape{5, 17}, Shape{64, 1001}})
    for (const double smoothing : {0.0, 0.1}) {
      const Shape rows{logits[0]};
      const auto classes = static_cast<double>(logits[1]);
      cases.push_back(
          {.name = fmt::format("mixed_cross_entropy {} smoothing {}", logits.text(), smoothing),
           .operands = {{.name = "logits", .shape = logits, .scale = 4.0},
                        {"label_a", rows, Role::labels, classes},
                        {"label_b", rows, Role::labels, classes},
                        {"lambda", rows},
                        {"valid_count", {}, Role::valid_count, static_cast<double>((logits[0] + 1) / 2)}},
           .build =
               [smoothing](Graph& graph, const Operands& o) {
                 return mixed_cross_entropy(graph, {o[0], o[1], o[2], o[3], o[4]}, smoothing, "y");
               },
           .real_layer = is_large(logits)});
    }
}

}  // namespace

void add_window_cases(std::vector<OperationCase>& cases) {
  add_depthwise(cases);
  add_convolutions(cases);
  add_pools(cases);
  add_lrn(cases);
  add_concats(cases);
  add_slices(cases);
  add_mixed_labels(cases);
}

}  // namespace fastnn::tests
