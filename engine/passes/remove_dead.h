#pragma once

#include <span>

#include "engine/graph/graph.h"

namespace fastnn {

/// Removes what nobody needs: operations whose outputs are neither kept, nor assigned to a variable, nor read
/// by an operation that stays.
/// @return operations removed.
int remove_dead(Graph& graph, std::span<const Value> kept);

}  // namespace fastnn
