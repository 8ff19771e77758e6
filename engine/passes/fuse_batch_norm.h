#pragma once

#include <span>

#include "engine/graph/graph.h"

namespace fastnn {

/// batch norm -> relu or relu6, batch norm -> + residual -> the same, batch norm -> + residual become one
/// operation each; their backward passes mask, add two gradient sources and reduce in one. The results keep
/// their bits.
/// @return operations made.
int fuse_batch_norm(Graph& graph, std::span<const Value> kept);

}  // namespace fastnn
