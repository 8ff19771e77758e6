#pragma once

#include <functional>

#include "engine/graph/graph.h"

namespace fastnn {

/// Work and traffic of launches, derived from their operands: every launch reads and writes each of its
/// operands once, and nothing stays in a cache between launches.
struct Cost {
  /// A multiply-add counts as two.
  double flops = 0;
  /// Of activations and their gradients.
  double bytes_read = 0;
  double bytes_written = 0;
  /// Of weights, their gradients and moving averages, read and written.
  double parameter_bytes = 0;

  double activation_bytes() const { return bytes_read + bytes_written; }
  double bytes() const { return activation_bytes() + parameter_bytes; }
  Cost& operator+=(const Cost& other);
};

/// Bytes of one element of a value.
using ElementSize = std::function<double(Value)>;

/// The cost of one run of a node; nothing for a view.
Cost cost_of(const Graph& graph, const Node& node, const ElementSize& element_size);

}  // namespace fastnn
