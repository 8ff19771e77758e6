#include "engine/passes/precision.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "engine/graph/ops/cast.h"

namespace fastnn {
namespace {

/// Which inputs of an operation are activations.
enum class Activations { first, all };

struct Kind {
  std::string_view name;
  Activations activations = Activations::first;
};

/// What is computed in the activations' type. All else is f32.
constexpr Kind kKinds[] = {
    {"add", Activations::all},
    {"avg_pool"},
    {"batch_norm_apply"},
    {"batch_norm_statistics"},
    {"bias_add"},
    {"concat", Activations::all},
    {"conv2d"},
    {"dense"},
    {"depthwise_conv2d"},
    {"drop_path"},
    {"dropout"},
    {"lrn"},
    {"max_pool"},
    {"relu"},
    {"relu6"},
    {"reshape"},
    {"scale"},
    {"scale_add", Activations::all},
    {"slice"},
};

class Precision {
 public:
  Precision(Graph& graph, Dtype type) : graph_(graph), type_(type) {}

  int run() {
    const std::vector<Node> nodes = graph_.nodes();
    for (const Node& node : nodes) visit(node);
    graph_.replace_nodes(std::move(nodes_));
    return static_cast<int>(casts_.size());
  }

 private:
  void visit(Node node) {
    const auto kind = std::ranges::find(kKinds, node.operation->kind(), &Kind::name);
    const std::span inputs(node.inputs);
    const bool is_known = kind != std::end(kKinds);
    const auto activations = is_known && kind->activations == Activations::first ? inputs.first(1) : inputs;
    const bool is_narrow = is_known && std::ranges::none_of(activations, [&](Value x) { return is_wide(x); });
    for (Value& x : is_narrow ? activations : inputs) x = cast_to(is_narrow ? type_ : Dtype::f32, x);
    const auto outputs = node.operation->outputs(graph_.specs(node.inputs));
    for (std::size_t i = 0; i < outputs.size(); ++i) graph_.retype(node.outputs[i], outputs[i].dtype);
    if (!is_narrow) wide_.insert(node.outputs.begin(), node.outputs.end());
    nodes_.push_back(std::move(node));
  }

  /// Parameters, losses, and all that is computed from those.
  bool is_wide(Value value) const {
    return wide_.contains(value) || graph_.info(value).source == Source::parameter;
  }

  Value cast_to(Dtype type, Value x) {
    const Dtype from = graph_.info(x).spec.dtype;
    const bool is_other = from != type && (from == Dtype::f32 || from == type_);
    if (!is_other) return x;
    const auto [known, is_new] = casts_.try_emplace(x);
    if (is_new) {
      known->second = cast(graph_, x, type, graph_.name(x) + "/cast");
      nodes_.push_back(graph_.nodes().back());
    }
    return known->second;
  }

  Graph& graph_;
  Dtype type_;
  std::vector<Node> nodes_;
  std::unordered_set<Value> wide_;
  /// A value -> the same in the one other type.
  std::map<Value, Value> casts_;
};

}  // namespace

int compute_in(Graph& graph, Dtype type) {
  return type == Dtype::f32 ? 0 : Precision(graph, type).run();
}

}  // namespace fastnn
