#pragma once

#include <span>

#include "engine/graph/graph.h"

namespace fastnn {

/// A convolution or dense layer and a batch norm of fixed statistics behind it, with the residual sum and the
/// activation that fuse_batch_norm has put into it, become one layer: its weights and bias are computed from
/// the parameters when the plan prepares. The results differ by rounding. A batch norm whose residual is read
/// again later stays.
/// @return layers made.
int fold_batch_norm(Graph& graph, std::span<const Value> kept);

}  // namespace fastnn
