#include "engine/graph/ops/slice.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace fastnn {
namespace {

// [N,H,W,C] as it is, other ranks as [rows,1,1,C].
Shape image_of(const Shape& x) {
  if (x.rank() < 1) throw UsageError("[slice] expected x [..., C], got a scalar");
  return x.rank() == 4 ? x : Shape{x.elements() / x[-1], 1, 1, x[-1]};
}

std::int64_t divided_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

const Shape& require_image(const Graph& graph, Value x, std::string_view kind) {
  const Shape& shape = graph.shape(x);
  if (shape.rank() != 4) throw UsageError("[{}] expected an image [N,H,W,C], got {}", kind, shape.text());
  return shape;
}

Value add_slice(Graph& graph, Value x, const SliceAttributes& attributes, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<Slice>(attributes), {x});
}

}  // namespace

kernels::Slice place_slice(const Shape& x, const SliceAttributes& attributes) {
  const Shape image = image_of(x);
  const auto& [begin, extent, step] = attributes;
  return {.N = image[0],
          .H = image[1],
          .W = image[2],
          .C = image[3],
          .P = extent[0],
          .Q = extent[1],
          .K = extent[2],
          .begin_h = begin[0],
          .begin_w = begin[1],
          .begin_c = begin[2],
          .step_h = step[0],
          .step_w = step[1]};
}

std::string Slice::attributes() const {
  return fmt::format("begin {} extent {} step {}", fmt::join(slice_.begin, ","),
                     fmt::join(slice_.extent, ","), fmt::join(slice_.step, ","));
}

std::vector<OperandSpec> Slice::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  const Shape& x = inputs[0].shape;
  const auto placed = place_slice(x, slice_);
  if (std::min({placed.P, placed.Q, placed.K, placed.step_h, placed.step_w}) < 1)
    throw UsageError("[slice] extents and steps must be at least 1, got {}", attributes());
  if (x.rank() == 4) return {{Shape{x[0], placed.P, placed.Q, placed.K}, inputs[0].dtype}};
  if (placed.P != 1 || placed.Q != 1)
    throw UsageError("[slice] only channels can be taken out of {}, got {}", x.text(), attributes());
  std::vector<std::int64_t> extents(x.extents().begin(), x.extents().end());
  extents.back() = placed.K;
  return {{Shape(extents), inputs[0].dtype}};
}

std::vector<Value> Slice::gradient(const GradientRequest& request) const {
  const Shape& x = request.graph.shape(request.node.inputs[0]);
  return {request.graph.add_single(request.name("input"), std::make_shared<SliceGradient>(slice_, x),
                                   {request.output_gradients[0]})};
}

std::int64_t Slice::elements_read(std::size_t, std::span<const OperandSpec> inputs,
                                  std::span<const OperandSpec> outputs) const {
  return std::min(inputs[0].shape.elements(), outputs[0].shape.elements());
}

std::vector<OperandSpec> SliceGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  return {{x_, inputs[0].dtype}};
}

Value pad(Graph& graph, Value x, const Pads& pads, std::string name) {
  const Shape& image = require_image(graph, x, "pad");
  if (std::min({pads.top, pads.bottom, pads.left, pads.right}) < 0)
    throw UsageError("[pad] pads must be at least 0, got top {}, bottom {}, left {}, right {}", pads.top,
                     pads.bottom, pads.left, pads.right);
  return add_slice(
      graph, x,
      {.begin = {-pads.top, -pads.left, 0},
       .extent = {image[1] + pads.top + pads.bottom, image[2] + pads.left + pads.right, image[3]}},
      std::move(name));
}

Value strided_slice(Graph& graph, Value x, std::array<std::int64_t, 2> begin, std::array<int, 2> step,
                    std::string name) {
  const Shape& image = require_image(graph, x, "strided_slice");
  const bool inside = begin[0] >= 0 && begin[0] < image[1] && begin[1] >= 0 && begin[1] < image[2];
  if (!inside || step[0] < 1 || step[1] < 1)
    throw UsageError(
        "[strided_slice] begin must lie in the image and steps be at least 1, got x {}, begin {}, step {}",
        image.text(), fmt::join(begin, ","), fmt::join(step, ","));
  return add_slice(graph, x,
                   {.begin = {begin[0], begin[1], 0},
                    .extent = {divided_up(image[1] - begin[0], step[0]),
                               divided_up(image[2] - begin[1], step[1]), image[3]},
                    .step = step},
                   std::move(name));
}

Value shifted_slice(Graph& graph, Value x, std::array<int, 2> step, std::string name) {
  const Shape& image = require_image(graph, x, "shifted_slice");
  if (step[0] < 1 || step[1] < 1)
    throw UsageError("[shifted_slice] steps must be at least 1, got {}", fmt::join(step, ","));
  return add_slice(graph, x,
                   {.begin = {1, 1, 0},
                    .extent = {divided_up(image[1], step[0]), divided_up(image[2], step[1]), image[3]},
                    .step = step},
                   std::move(name));
}

Value channel_slice(Graph& graph, Value x, ChannelRange channels, std::string name) {
  const Shape image = image_of(graph.shape(x));
  const auto [begin, count] = channels;
  if (begin < 0 || count < 1 || begin + count > image[3])
    throw UsageError("[channel_slice] {} has no {} channels from {} on ({})", graph.shape(x).text(), count,
                     begin, name);
  return add_slice(graph, x, {.begin = {0, 0, begin}, .extent = {image[1], image[2], count}},
                   std::move(name));
}

}  // namespace fastnn
