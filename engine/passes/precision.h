#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// Before differentiation: the activations of a net, and so their gradients, get another type. Images are
/// cast as they come in, logits back before the loss. Parameters, batch-norm statistics, losses and all that
/// is computed from those stay f32; devices make copies of the weights in the type of the activations.
/// @return casts added; 0 where type is f32.
int compute_in(Graph& graph, Dtype type);

}  // namespace fastnn
