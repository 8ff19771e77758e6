#pragma once

#include <span>

#include "engine/graph/graph.h"

namespace fastnn {

/// A convolution or dense layer takes in the bias behind it, a scaled residual sum whose residual nobody
/// reads later, and the activation. Those whose results a gradient reads keep their activation: a NaN must
/// not become 0 unseen in training. The results differ by rounding.
/// @return layers made.
int fuse_epilogue(Graph& graph, std::span<const Value> kept);

}  // namespace fastnn
