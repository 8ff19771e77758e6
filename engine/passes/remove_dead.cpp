#include "engine/passes/remove_dead.h"

#include <algorithm>
#include <unordered_set>

namespace fastnn {

int remove_dead(Graph& graph, std::span<const Value> kept) {
  std::unordered_set<Value> needed(kept.begin(), kept.end());
  for (const auto& [parameter, value] : graph.assignments()) needed.insert(value);
  std::vector<Node> alive;
  const auto& nodes = graph.nodes();
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    if (std::ranges::none_of(node->outputs, [&](Value output) { return needed.contains(output); })) continue;
    needed.insert(node->inputs.begin(), node->inputs.end());
    alive.push_back(*node);
  }
  const int removed = static_cast<int>(nodes.size() - alive.size());
  std::ranges::reverse(alive);
  graph.replace_nodes(std::move(alive));
  return removed;
}

}  // namespace fastnn
