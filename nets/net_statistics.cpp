#include "nets/net_statistics.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace fastnn {
namespace {

constexpr std::array<std::string_view, 2> kConvolutions = {"conv2d", "depthwise_conv2d"};

/// All values that a value is computed from.
std::unordered_set<Value> ancestors(const Graph& graph, Value value) {
  std::unordered_set<Value> found = {value};
  const auto& nodes = graph.nodes();
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
    if (std::ranges::any_of(node->outputs, [&](Value output) { return found.contains(output); }))
      found.insert(node->inputs.begin(), node->inputs.end());
  return found;
}

void count_variables(const Network& net, NetStatistics& statistics) {
  const auto of_logits = ancestors(net.graph, net.logits);
  for (const Value variable : net.graph.parameters()) {
    const std::int64_t elements = net.graph.shape(variable).elements();
    ++statistics.variables;
    if (!net.graph.info(variable).parameter.trainable) {
      statistics.moving_elements += elements;
      continue;
    }
    ++statistics.trainable_variables;
    statistics.trainable_elements += elements;
    if (of_logits.contains(variable)) statistics.main_elements += elements;
  }
}

void count_work(const Graph& graph, NetStatistics& statistics) {
  for (const Node& node : graph.nodes()) {
    const std::string_view kind = node.operation->kind();
    const bool convolution = std::ranges::count(kConvolutions, kind) > 0;
    if (!convolution && kind != "dense") continue;
    statistics.macs += node.operation->flops(graph.specs(node.inputs), graph.specs(node.outputs)) / 2;
    if (convolution) statistics.activations += graph.shape(node.outputs[0]).elements();
  }
}

}  // namespace

NetStatistics net_statistics(std::string_view name, NetOptions options) {
  NetStatistics statistics;
  options.batch_size = 1;
  options.mode = Mode::training;
  count_variables(build_network(name, options), statistics);
  options.mode = Mode::evaluation;
  count_work(build_network(name, options).graph, statistics);
  return statistics;
}

}  // namespace fastnn
