#pragma once

#include <vector>

#include "engine/graph/graph.h"

namespace fastnn {

/// Per node: does it depend on parameters alone? A plan runs such nodes when it prepares, after each change
/// of the weights, and not in each run. Nodes that make a variable's next value are none.
std::vector<bool> constant_nodes(const Graph& graph);

}  // namespace fastnn
