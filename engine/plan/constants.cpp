#include "engine/plan/constants.h"

#include <algorithm>
#include <unordered_set>

namespace fastnn {

std::vector<bool> constant_nodes(const Graph& graph) {
  std::unordered_set<Value> constants, assigned;
  for (const Value parameter : graph.parameters()) constants.insert(parameter);
  for (const auto& [parameter, value] : graph.assignments()) assigned.insert(value);
  std::vector<bool> result;
  for (const Node& node : graph.nodes()) {
    const bool is_constant =
        std::ranges::all_of(node.inputs, [&](Value input) { return constants.contains(input); }) &&
        std::ranges::none_of(node.outputs, [&](Value output) { return assigned.contains(output); });
    if (is_constant) constants.insert(node.outputs.begin(), node.outputs.end());
    result.push_back(is_constant);
  }
  return result;
}

}  // namespace fastnn
