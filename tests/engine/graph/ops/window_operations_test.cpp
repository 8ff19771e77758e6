#include <cmath>

#include "engine/base/error.h"
#include "engine/graph/autograd.h"
#include "engine/graph/ops/avg_pool.h"
#include "engine/graph/ops/concat.h"
#include "engine/graph/ops/conv2d.h"
#include "engine/graph/ops/depthwise_conv2d.h"
#include "engine/graph/ops/lrn.h"
#include "engine/graph/ops/max_pool.h"
#include "engine/graph/ops/mixed_cross_entropy.h"
#include "engine/graph/ops/slice.h"
#include "tests/support/catch.h"
#include "tests/support/messages.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

/// Checks that adding an operation on x of this shape fails with a message that holds 'part'.
template <class Add>
void check_refused(const Shape& shape, std::string_view part, Add add) {
  Graph graph;
  const Value x = graph.add_input("x", shape);
  const std::string message = message_of<UsageError>([&] { add(graph, x); });
  INFO(message);
  CHECK(contains(message, part));
}

Value weights(Graph& graph, const Shape& shape) {
  return graph.add_parameter("w", shape, {});
}

/// Adds mixed labels for logits [2,3] with one operand of another shape.
void add_mixed(Graph& graph, Value logits, const Shape& lambda_shape, double smoothing = 0) {
  const Value a = graph.add_input("a", {2}, Dtype::s32), b = graph.add_input("b", {2}, Dtype::s32);
  const Value lambda = graph.add_input("lambda", lambda_shape),
              valid = graph.add_input("valid", {}, Dtype::s32);
  mixed_cross_entropy(graph, {logits, a, b, lambda, valid}, smoothing, "loss");
}

}  // namespace

TEST_CASE("graph: an empty batch is refused by name, as input and as result") {
  Graph graph;
  const std::string message = message_of<UsageError>([&] { graph.add_input("images", {0, 28, 28, 1}); });
  CHECK(contains(message, "images would hold nothing"));
  CHECK(contains(message, "batch size"));
  CHECK(contains(message, "[0,28,28,1]"));
  CHECK_THROWS_AS(weights(graph, {3, 3, 0, 8}), UsageError);
}

TEST_CASE("window: explicit pads must fit the window") {
  for (const Pads& pads : {Pads{-1, 0, 0, 0}, Pads{0, 3, 0, 0}, Pads{0, 0, 3, 0}, Pads{0, 0, 0, -2}})
    check_refused({1, 8, 8, 2}, "less than the window's reach of 3x3 pixels", [&](Graph& graph, Value x) {
      conv2d(graph, x, weights(graph, {3, 3, 2, 4}), {.pads = pads}, "y");
    });
  CHECK(place_window({1, 8, 9, 2}, {3, 3}, {.stride = {2, 2}, .pads = Pads{1, 1, 1, 1}}).P == 4);
  CHECK(place_window({1, 8, 9, 2}, {3, 3}, {.stride = {2, 2}, .pads = Pads{1, 1, 1, 1}}).Q == 5);
  CHECK(place_window({1, 8, 9, 2}, {3, 3}, {.pads = Pads{2, 0, 0, 1}}).pad_top == 2);
}

TEST_CASE("window: text names kernel, stride, padding and dilation") {
  CHECK(text_of({5, 5}, {.stride = {2, 2}}) == "5x5/2 same");
  CHECK(text_of({3, 2}, {.stride = {2, 1}, .padding = Padding::valid, .dilation = {2, 2}}) ==
        "3x2/2x1 valid dilation 2");
  CHECK(text_of({7, 7}, {.pads = Pads{3, 2, 1, 0}}) == "7x7/1 pads 3,2,1,0");
}

TEST_CASE("pools: a window of padding alone is refused") {
  const WindowAttributes between{.dilation = {2, 2}};
  check_refused({1, 1, 4, 2}, "would hold padding only", [&](Graph& graph, Value x) {
    max_pool(graph, x, {2, 1}, between, "y");
  });
  check_refused({1, 4, 1, 2}, "would hold padding only", [&](Graph& graph, Value x) {
    max_pool(graph, x, {1, 2}, between, "y");
  });
}

TEST_CASE("avg_pool: dilation, and images of another rank, are refused") {
  check_refused({1, 8, 8, 2}, "[avg_pool] no dilation", [](Graph& graph, Value x) {
    avg_pool(graph, x, {3, 3}, {.dilation = {2, 2}}, "y");
  });
  check_refused({8, 2}, "expected an image", [](Graph& graph, Value x) {
    avg_pool(graph, x, {3, 3}, {}, "y");
  });
  check_refused({8, 2}, "[global_avg_pool] expected an image",
                [](Graph& graph, Value x) { global_avg_pool(graph, x, "y"); });
}

TEST_CASE("depthwise_conv2d: channels must agree, pointwise weights must be 1x1") {
  check_refused({1, 8, 8, 2}, "with the same C, got x [1,8,8,2], w [3,3,4,1]", [](Graph& graph, Value x) {
    depthwise_conv2d(graph, x, weights(graph, {3, 3, 4, 1}), {}, "y");
  });
  check_refused({1, 8, 8, 2}, "expected x [N,H,W,C] and w [R,S,C,M]", [](Graph& graph, Value x) {
    depthwise_conv2d(graph, x, weights(graph, {3, 3, 2}), {}, "y");
  });
  check_refused(
      {1, 8, 8, 2}, "expected pointwise weights [1,1,C*M,K], got [3,1,2,5]", [](Graph& graph, Value x) {
        const Value depthwise = weights(graph, {3, 3, 2, 1});
        separable_conv2d(graph, x, {depthwise, graph.add_parameter("pw", {3, 1, 2, 5}, {})}, {}, "y");
      });
  CHECK(contains(message_of<UsageError>([] { place_depthwise({1, 8, 8, 2}, {3, 3, 2}, {}); }), "of rank 4"));
}

TEST_CASE("lrn: parameters that give no positive scale are refused") {
  for (const LrnAttributes& wrong :
       {LrnAttributes{.depth_radius = -1}, LrnAttributes{.depth_radius = 65}, LrnAttributes{.bias = 0},
        LrnAttributes{.alpha = -0.1}, LrnAttributes{.beta = INFINITY}})
    check_refused({2, 5}, "[lrn] expected depth_radius in [0, 64], bias > 0",
                  [&](Graph& graph, Value x) { lrn(graph, x, wrong, "y"); });
  check_refused({}, "got a scalar", [](Graph& graph, Value x) { lrn(graph, x, {}, "y"); });
}

TEST_CASE("concat: inputs that differ in more than their channels are refused") {
  check_refused({2, 4, 4, 3}, "equal but for the last extent, got [2,4,4,3] and [2,4,5,3]",
                [](Graph& graph, Value x) {
                  concat(graph, {x, graph.add_input("b", {2, 4, 5, 3})}, "y");
                });
  check_refused({2, 3}, "equal but for the last extent", [](Graph& graph, Value x) {
    concat(graph, {x, graph.add_input("b", {2, 3}, Dtype::s32)}, "y");
  });
  check_refused({2, 3}, "at least one input", [](Graph& graph, Value) { concat(graph, {}, "y"); });
}

TEST_CASE("slices: what lies outside is refused where it is no padding") {
  const Shape image{1, 6, 7, 4};
  check_refused(image, "[channel_slice] [1,6,7,4] has no 3 channels from 2 on", [](Graph& graph, Value x) {
    channel_slice(graph, x, {2, 3}, "y");
  });
  check_refused(image, "has no 1 channels from -1 on", [](Graph& graph, Value x) {
    channel_slice(graph, x, {-1, 1}, "y");
  });
  check_refused(image, "[strided_slice] begin must lie in the image", [](Graph& graph, Value x) {
    strided_slice(graph, x, {6, 0}, {2, 2}, "y");
  });
  check_refused(image, "steps be at least 1", [](Graph& graph, Value x) {
    strided_slice(graph, x, {0, 0}, {2, 0}, "y");
  });
  check_refused(image, "[shifted_slice] steps must be at least 1, got 0,1", [](Graph& graph, Value x) {
    shifted_slice(graph, x, {0, 1}, "y");
  });
  check_refused(image, "[pad] pads must be at least 0, got top 0, bottom -1", [](Graph& graph, Value x) {
    pad(graph, x, {0, -1, 0, 0}, "y");
  });
  check_refused({6, 4}, "[pad] expected an image", [](Graph& graph, Value x) { pad(graph, x, {}, "y"); });
  check_refused(image, "[slice] extents and steps must be at least 1", [](Graph& graph, Value x) {
    graph.add_single("y", std::make_shared<Slice>(SliceAttributes{.extent = {1, 0, 1}}), {x});
  });
  check_refused({6, 4}, "only channels can be taken out of [6,4]", [](Graph& graph, Value x) {
    graph.add_single("y", std::make_shared<Slice>(SliceAttributes{.extent = {2, 1, 4}}), {x});
  });
  check_refused({}, "got a scalar", [](Graph& graph, Value x) { channel_slice(graph, x, {0, 1}, "y"); });
}

TEST_CASE("mixed_cross_entropy: operands that do not fit the logits are refused by name") {
  check_refused({2, 3}, "expected lambda f32 [2] for logits [2,3], got f32 [3]",
                [](Graph& graph, Value x) { add_mixed(graph, x, {3}); });
  check_refused({3, 3}, "expected label_a s32 [3]", [](Graph& graph, Value x) { add_mixed(graph, x, {3}); });
  check_refused({2, 3, 1}, "expected logits [N,C]", [](Graph& graph, Value x) { add_mixed(graph, x, {2}); });
  for (const double smoothing : {-0.1, 1.0})
    check_refused({2, 3}, "label_smoothing must be in [0, 1)",
                  [&](Graph& graph, Value x) { add_mixed(graph, x, {2}, smoothing); });
}

TEST_CASE("mixed_cross_entropy: a gradient through the probabilities is refused") {
  check_refused({2, 3}, "has no gradient through its probabilities", [](Graph& graph, Value x) {
    add_mixed(graph, x, {2});
    const Value probabilities = graph.nodes().back().outputs[1];
    const OutputGradient seed{probabilities, graph.add_input("dp", {2, 3})};
    add_gradients(graph, {&seed, 1}, {&x, 1});
  });
}
