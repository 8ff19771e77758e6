#pragma once

#include <span>

#include "engine/graph/graph.h"

namespace fastnn {

/// scale_add -> relu becomes one operation, and so do their gradients, with the sum of two gradient sources
/// in front. The results keep their bits.
/// @return operations made.
int fuse_residual(Graph& graph, std::span<const Value> kept);

}  // namespace fastnn
