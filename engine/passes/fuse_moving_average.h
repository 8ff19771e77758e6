#pragma once

#include <span>

#include "engine/graph/graph.h"

namespace fastnn {

/// The statistics of a batch norm and the update of its moving averages become one operation. The results
/// keep their bits.
/// @return operations made.
int fuse_moving_average(Graph& graph, std::span<const Value> kept);

}  // namespace fastnn
