#pragma once

#include <map>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/passes/pass_table.h"

namespace fastnn::optim {

/// A graph with its backward pass.
struct TrainingGraph {
  Graph graph;
  /// Input "loss_gradient", a scalar: d(what is minimised)/d(loss). 1 / (ranks * micro-batches) times the
  /// loss scale, so that sums over ranks are means.
  Value loss_gradient;
  /// Trainable parameter -> its gradient.
  std::map<Value, Value> gradients;
  /// All parameters, in the order in which the backward pass finishes their gradients: the order of
  /// TrainState's flat buffers. Those that are not trainable come last.
  std::vector<Value> parameters;
};

/// Appends the gradients of all trainable parameters. Throws UsageError naming one that the loss does not
/// depend on.
TrainingGraph differentiate(Graph graph, Value loss);

/// Runs the passes over a graph with gradients, which are kept.
std::vector<PassResult> rewrite(TrainingGraph& training, PassOptions options);

}  // namespace fastnn::optim
