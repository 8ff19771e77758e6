#include "engine/passes/fold_batch_norm.h"

#include <optional>

#include "engine/graph/ops/batch_norm_fused.h"
#include "engine/graph/ops/batch_norm_statistics.h"
#include "engine/graph/ops/fused_layer.h"
#include "engine/passes/layer_behind.h"

namespace fastnn {
namespace {

constexpr std::size_t kMean = 1, kRstd = 2, kBeta = 3;

/// Indices of the nodes to become one layer, and what that needs.
struct Candidate {
  int layer;
  int rstd;
  int norm;
  LayerEpilogue epilogue;
  Value variance;
  double epsilon;
};

LayerEpilogue epilogue_of(const Node& norm) {
  if (norm.operation->kind() == "batch_norm_apply") return {};
  const auto& epilogue = static_cast<const BatchNormApplyFused&>(*norm.operation).epilogue();
  return {.residual = epilogue.residual, .activation = epilogue.activation};
}

bool is_parameter(const Graph& graph, Value value) {
  return graph.info(value).source == Source::parameter;
}

std::optional<Candidate> candidate_at(const Graph& graph, const Rewrite& rewrite, int norm_index) {
  const Node* norm = rewrite.node(norm_index, "batch_norm_apply");
  if (norm == nullptr) norm = rewrite.node(norm_index, "batch_norm_apply_fused");
  if (norm == nullptr) return {};
  const int layer = layer_behind(rewrite, norm->inputs[0], norm_index);
  const int rstd = rewrite.maker(norm->inputs[kRstd]);
  if (layer < 0 || rewrite.node(rstd, "batch_norm_rstd") == nullptr) return {};
  const Value variance = rewrite.node(rstd).inputs[0];
  if (!is_parameter(graph, rewrite.node(layer).inputs[1]) || !is_parameter(graph, variance)) return {};
  const LayerEpilogue epilogue = epilogue_of(*norm);
  if (epilogue.residual && !rewrite.is_last_reader(norm->inputs.back(), norm_index)) return {};
  const double epsilon = static_cast<const BatchNormRstd&>(*rewrite.node(rstd).operation).epsilon();
  return Candidate{layer, rstd, norm_index, epilogue, variance, epsilon};
}

std::vector<Candidate> find_candidates(const Graph& graph, std::span<const Value> kept) {
  const Rewrite rewrite(graph, kept);
  std::vector<Candidate> candidates;
  for (int i = 0; i < rewrite.size(); ++i)
    if (const auto candidate = candidate_at(graph, rewrite, i)) candidates.push_back(*candidate);
  return candidates;
}

/// Appends the fold of a candidate to the graph.
void add_fold(Graph& graph, const Candidate& candidate) {
  const Node& layer = graph.nodes()[static_cast<std::size_t>(candidate.layer)];
  const Node& norm = graph.nodes()[static_cast<std::size_t>(candidate.norm)];
  std::vector<Value> inputs = {layer.inputs[1], norm.inputs[kMean], candidate.variance};
  inputs.insert(inputs.end(), norm.inputs.begin() + kBeta,
                norm.inputs.end() - (candidate.epilogue.residual ? 1 : 0));
  graph.add(layer.name + "/fold", std::make_shared<BatchNormFold>(candidate.epsilon), std::move(inputs));
}

/// Puts the fold in the place of the layer, and the fused layer in that of the batch norm.
void replace(Rewrite& rewrite, const Candidate& candidate, int fold_index) {
  const Node fold = rewrite.node(fold_index);
  const Node layer = rewrite.node(candidate.layer);
  Node fused = rewrite.node(candidate.norm);
  const Value residual = candidate.epilogue.residual ? fused.inputs.back() : Value();
  fused.operation = std::make_shared<FusedLayer>(layer.operation, candidate.epilogue);
  fused.inputs = {layer.inputs[0], fold.outputs[0], fold.outputs[1]};
  if (residual) fused.inputs.push_back(residual);
  rewrite.remove(fold_index);
  rewrite.replace(candidate.layer, fold);
  rewrite.replace(candidate.norm, std::move(fused));
  if (rewrite.readers(rewrite.node(candidate.rstd).outputs[0]).empty()) rewrite.remove(candidate.rstd);
}

}  // namespace

int fold_batch_norm(Graph& graph, std::span<const Value> kept) {
  const std::vector<Candidate> candidates = find_candidates(graph, kept);
  int fold_index = static_cast<int>(graph.nodes().size());
  for (const Candidate& candidate : candidates) add_fold(graph, candidate);
  Rewrite rewrite(graph, kept);
  for (const Candidate& candidate : candidates) replace(rewrite, candidate, fold_index++);
  graph.replace_nodes(rewrite.nodes());
  return static_cast<int>(candidates.size());
}

}  // namespace fastnn
