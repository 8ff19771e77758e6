#pragma once

#include <span>

#include "engine/graph/graph.h"

namespace fastnn {

/// bias_add -> relu becomes one operation, and so do their gradients. The results keep their bits.
/// @return operations made.
int fuse_bias(Graph& graph, std::span<const Value> kept);

}  // namespace fastnn
