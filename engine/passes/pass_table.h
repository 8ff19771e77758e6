#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/graph.h"

namespace fastnn {

/// A rewrite of a graph that changes how its kept values are computed, not what they are.
struct Pass {
  std::string_view name;
  std::string_view summary;
  /// Rewrites the graph and says how often. 'kept': values that are read from outside.
  int (*run)(Graph& graph, std::span<const Value> kept);
};

/// All passes, in the order in which they run.
std::span<const Pass> pass_table();

struct PassOptions {
  /// Values that are read after a run, gradients of parameters among them.
  std::vector<Value> keep;
  /// Names of passes to leave out.
  std::vector<std::string> disabled;
};

struct PassResult {
  std::string_view name;
  int rewrites = 0;
};

/// Runs all passes but the disabled ones. Throws UsageError for an unknown name, with the nearest known one.
std::vector<PassResult> run_passes(Graph& graph, const PassOptions& options);

/// "passes: fuse_batch_norm 53, fuse_residual 0".
std::string text_of(std::span<const PassResult> results);

}  // namespace fastnn
