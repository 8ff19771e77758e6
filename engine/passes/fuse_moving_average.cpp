#include "engine/passes/fuse_moving_average.h"

#include "engine/graph/ops/batch_norm_fused.h"
#include "engine/graph/ops/batch_norm_statistics.h"
#include "engine/graph/ops/moving_average_update.h"
#include "engine/passes/rewrite.h"

namespace fastnn {
namespace {

/// Puts both in the place of the statistics, which others wait for.
int fuse(Rewrite& rewrite, int update_index) {
  const Node update = rewrite.node(update_index);
  const int statistics_index = rewrite.maker(update.inputs[0]);
  const Node* statistics = rewrite.node(statistics_index, "batch_norm_statistics");
  if (statistics == nullptr || update.inputs[0] != statistics->outputs[0] ||
      update.inputs[1] != statistics->outputs[2])
    return 0;
  Node fused = *statistics;
  fused.inputs.insert(fused.inputs.end(), update.inputs.begin() + 2, update.inputs.end());
  fused.outputs.insert(fused.outputs.end(), update.outputs.begin(), update.outputs.end());
  fused.operation = std::make_shared<BatchNormStatisticsUpdate>(
      static_cast<const BatchNormStatistics&>(*statistics->operation).epsilon(),
      static_cast<const MovingAverageUpdate&>(*update.operation).decay());
  rewrite.remove(update_index);
  rewrite.replace(statistics_index, std::move(fused));
  return 1;
}

}  // namespace

int fuse_moving_average(Graph& graph, std::span<const Value> kept) {
  Rewrite rewrite(graph, kept);
  int made = 0;
  for (int i = 0; i < rewrite.size(); ++i)
    if (rewrite.node(i, "moving_average_update") != nullptr) made += fuse(rewrite, i);
  graph.replace_nodes(rewrite.nodes());
  return made;
}

}  // namespace fastnn
