#pragma once

#include <map>
#include <span>

#include "engine/graph/graph.h"

namespace fastnn {

/// An output of the graph and the value that holds d(loss)/d(output).
struct OutputGradient {
  Value output;
  Value gradient;
};

/// Reverse mode: appends the operations that compute d(loss)/d(value) for each value of 'wanted', given the
/// gradients of some outputs. Where a value is read several times, its gradients are summed by `add`
/// operations. Gradients of parameters get the native layout.
/// @return the gradient of each wanted value; a value that no given output depends on is left out.
std::map<Value, Value> add_gradients(Graph& graph, std::span<const OutputGradient> outputs,
                                     std::span<const Value> wanted);

}  // namespace fastnn
