#include "nets/net_statistics.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>
#include <utility>

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

/// Multiply-adds of a node, and elements that it puts out if it is a convolution.
struct Work {
  double macs = 0;
  std::int64_t activations = 0;
};

Work work_of(const Graph& graph, const Node& node) {
  const std::string_view kind = node.operation->kind();
  const bool convolution = std::ranges::count(kConvolutions, kind) > 0;
  if (!convolution && kind != "dense") return {};
  return {.macs = node.operation->flops(graph.specs(node.inputs), graph.specs(node.outputs)) / 2,
          .activations = convolution ? graph.shape(node.outputs[0]).elements() : 0};
}

void count_work(const Graph& graph, NetStatistics& statistics) {
  for (const Node& node : graph.nodes()) {
    const Work work = work_of(graph, node);
    statistics.macs += work.macs;
    statistics.activations += work.activations;
  }
}

/// "LeNet/conv1" of "LeNet/conv1/weights" and of "LeNet/conv1/Conv2D".
std::string scope_of(const std::string& name) {
  return name.substr(0, name.rfind('/'));
}

/// Layers in the order in which they were first asked for.
class LayerList {
 public:
  LayerStatistics& of(const std::string& scope) {
    const auto [found, is_new] = index_.emplace(scope, list_.size());
    if (is_new) list_.push_back({.layer = scope});
    return list_[found->second];
  }
  std::vector<LayerStatistics> list() && { return std::move(list_); }

 private:
  std::map<std::string, std::size_t> index_;
  std::vector<LayerStatistics> list_;
};

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

std::vector<LayerStatistics> layer_statistics(std::string_view name, NetOptions options) {
  LayerList layers;
  options.batch_size = 1;
  options.mode = Mode::training;
  const Graph training = build_network(name, options).graph;
  for (const Value variable : training.parameters())
    if (training.info(variable).parameter.trainable)
      layers.of(scope_of(training.info(variable).name)).trainable_elements +=
          training.shape(variable).elements();
  options.mode = Mode::evaluation;
  const Graph evaluation = build_network(name, options).graph;
  for (const Node& node : evaluation.nodes()) {
    const Work work = work_of(evaluation, node);
    if (work.macs == 0) continue;
    LayerStatistics& layer = layers.of(scope_of(node.name));
    layer.macs += work.macs;
    layer.activations += work.activations;
  }
  return std::move(layers).list();
}

}  // namespace fastnn
