#include "engine/graph/autograd.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/graph/ops/add.h"

namespace fastnn {
namespace {

class Backward {
 public:
  Backward(Graph& graph, std::span<const Value> wanted) : graph_(graph), needed_(graph.value_count()) {
    for (const Value value : wanted) needed_[index(value)] = true;
    for (const Node& node : graph.nodes())
      if (std::ranges::any_of(node.inputs, [&](Value input) { return needed_[index(input)]; }))
        for (const Value output : node.outputs) needed_[index(output)] = true;
  }

  void accumulate(Value value, Value gradient) {
    const bool of_parameter = graph_.info(value).source == Source::parameter;
    if (of_parameter) graph_.set_native(gradient);
    const auto [known, is_first] = gradients_.try_emplace(value, gradient);
    if (is_first) return;
    const std::string name = fmt::format("{}/gradient/sum{}", graph_.name(value), ++sums_[value]);
    known->second = graph_.add_single(name, std::make_shared<Add>(), {known->second, gradient});
    if (of_parameter) graph_.set_native(known->second);
  }

  void run() {
    const std::vector<Node> forward = graph_.nodes();
    for (auto node = forward.rbegin(); node != forward.rend(); ++node) visit(*node);
  }

  const std::map<Value, Value>& gradients() const { return gradients_; }

 private:
  static std::size_t index(Value value) { return static_cast<std::size_t>(value.id); }

  void visit(const Node& node) {
    std::vector<Value> output_gradients;
    for (const Value output : node.outputs) {
      const auto known = gradients_.find(output);
      output_gradients.push_back(known == gradients_.end() ? Value{} : known->second);
    }
    if (std::ranges::none_of(output_gradients, [](Value gradient) { return bool(gradient); })) return;
    const auto wanted = std::make_unique<bool[]>(node.inputs.size());
    for (std::size_t i = 0; i < node.inputs.size(); ++i) wanted[i] = needed_[index(node.inputs[i])];
    const std::span<const bool> wanted_inputs(wanted.get(), node.inputs.size());
    if (std::ranges::none_of(wanted_inputs, std::identity())) return;
    const auto gradients = node.operation->gradient({graph_, node, output_gradients, wanted_inputs});
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      if (wanted[i] && gradients[i]) accumulate(node.inputs[i], gradients[i]);
  }

  Graph& graph_;
  std::vector<bool> needed_;
  std::map<Value, Value> gradients_;
  std::map<Value, int> sums_;
};

}  // namespace

std::map<Value, Value> add_gradients(Graph& graph, std::span<const OutputGradient> outputs,
                                     std::span<const Value> wanted) {
  Backward backward(graph, wanted);
  for (const auto& [output, gradient] : outputs) backward.accumulate(output, gradient);
  backward.run();
  std::map<Value, Value> result;
  for (const Value value : wanted) {
    const auto known = backward.gradients().find(value);
    if (known != backward.gradients().end()) result.insert(*known);
  }
  return result;
}

}  // namespace fastnn
