#include "engine/graph/ops/concat.h"

#include <fmt/ranges.h>

#include "engine/graph/ops/slice.h"

namespace fastnn {
namespace {

// The shape with another number of channels.
Shape with_channels(const Shape& shape, std::int64_t channels) {
  std::vector<std::int64_t> extents(shape.extents().begin(), shape.extents().end());
  extents.back() = channels;
  return Shape(extents);
}

}  // namespace

std::vector<OperandSpec> Concat::outputs(std::span<const OperandSpec> inputs) const {
  if (inputs.empty()) throw UsageError("[concat] expected at least one input, got none");
  std::int64_t channels = 0;
  for (const OperandSpec& input : inputs) {
    const bool fits = input.shape.rank() > 0 && input.dtype == inputs[0].dtype &&
                      with_channels(input.shape, 1) == with_channels(inputs[0].shape, 1);
    if (!fits)
      throw UsageError("[concat] inputs must be equal but for the last extent, got {} and {}",
                       inputs[0].shape.text(), input.shape.text());
    channels += input.shape[-1];
  }
  return {{with_channels(inputs[0].shape, channels), inputs[0].dtype}};
}

std::vector<Value> Concat::gradient(const GradientRequest& request) const {
  std::vector<Value> gradients;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < request.node.inputs.size(); ++i) {
    const std::int64_t channels = request.graph.shape(request.node.inputs[i])[-1];
    gradients.push_back(request.wanted[i]
                            ? channel_slice(request.graph, request.output_gradients[0], {begin, channels},
                                            request.name(fmt::format("input{}", i)))
                            : Value{});
    begin += channels;
  }
  return gradients;
}

Value concat(Graph& graph, std::vector<Value> inputs, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<Concat>(), std::move(inputs));
}

}  // namespace fastnn
