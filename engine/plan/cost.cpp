#include "engine/plan/cost.h"

namespace fastnn {

Cost& Cost::operator+=(const Cost& other) {
  flops += other.flops;
  bytes_read += other.bytes_read;
  bytes_written += other.bytes_written;
  parameter_bytes += other.parameter_bytes;
  return *this;
}

Cost cost_of(const Graph& graph, const Node& node, const ElementSize& element_size) {
  if (node.operation->is_view()) return {};
  const auto inputs = graph.specs(node.inputs);
  const auto outputs = graph.specs(node.outputs);
  Cost cost{.flops = node.operation->flops(inputs, outputs)};
  const auto add = [&](Value value, std::int64_t elements, double& activation_bytes) {
    const bool of_parameter = graph.info(value).layout == Layout::native;
    (of_parameter ? cost.parameter_bytes : activation_bytes) +=
        element_size(value) * static_cast<double>(elements);
  };
  for (std::size_t i = 0; i < inputs.size(); ++i)
    add(node.inputs[i], node.operation->elements_read(i, inputs, outputs), cost.bytes_read);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    add(node.outputs[i], outputs[i].shape.elements(), cost.bytes_written);
  return cost;
}

}  // namespace fastnn
