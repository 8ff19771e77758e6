#include "engine/passes/fuse_epilogue.h"

#include <algorithm>

#include "engine/graph/ops/fused_layer.h"
#include "engine/graph/ops/scale_add.h"
#include "engine/passes/layer_behind.h"

namespace fastnn {
namespace {

using kernels::Activation;

/// Puts the layer with the epilogue, and the inputs behind x and w, in the place of the follower.
void fuse_at(Rewrite& rewrite, int layer_index, int follower_index, LayerEpilogue epilogue,
             std::span<const Value> more_inputs) {
  const Node layer = rewrite.node(layer_index);
  Node fused = rewrite.node(follower_index);
  const auto* known = dynamic_cast<const FusedLayer*>(layer.operation.get());
  fused.operation =
      std::make_shared<FusedLayer>(known != nullptr ? known->layer() : layer.operation, epilogue);
  fused.inputs = layer.inputs;
  fused.inputs.insert(fused.inputs.end(), more_inputs.begin(), more_inputs.end());
  rewrite.remove(layer_index);
  rewrite.replace(follower_index, std::move(fused));
}

bool is_trained(const Rewrite& rewrite, int index) {
  return std::ranges::any_of(rewrite.readers(rewrite.node(index).outputs[0]), [&](int reader) {
    return rewrite.node(reader).operation->kind().ends_with("gradient");
  });
}

int fuse_bias(Rewrite& rewrite, int index) {
  const bool relu = rewrite.node(index, "bias_relu") != nullptr;
  if (!relu && rewrite.node(index, "bias_add") == nullptr) return 0;
  if (relu && is_trained(rewrite, index)) return 0;
  const auto inputs = rewrite.node(index).inputs;
  const int layer = layer_behind(rewrite, inputs[0], index);
  if (layer < 0) return 0;
  fuse_at(rewrite, layer, index, {.activation = relu ? Activation::relu : Activation::none},
          std::span(inputs).subspan(1));
  return 1;
}

/// What a node adds to a residual, input 0, from input 1.
struct ResidualSum {
  double factor = 0;
  Activation activation = Activation::none;
};

ResidualSum residual_sum(const Rewrite& rewrite, int index) {
  if (const Node* sum = rewrite.node(index, "scale_add"))
    return {static_cast<const ScaleAdd&>(*sum->operation).factor(), Activation::none};
  if (const Node* sum = rewrite.node(index, "scale_add_relu"))
    return {static_cast<const ScaleAddRelu&>(*sum->operation).factor(), Activation::relu};
  return {};
}

int fuse_residual_sum(Rewrite& rewrite, int index) {
  const ResidualSum sum = residual_sum(rewrite, index);
  if (sum.factor == 0 || (sum.activation != Activation::none && is_trained(rewrite, index))) return 0;
  const Value residual = rewrite.node(index).inputs[0], added = rewrite.node(index).inputs[1];
  const int layer = rewrite.maker(added);
  if (layer < 0 || rewrite.only_reader(added) != index) return 0;
  const auto* fused = dynamic_cast<const FusedLayer*>(rewrite.node(layer).operation.get());
  if (fused == nullptr || fused->epilogue().residual || fused->epilogue().activation != Activation::none)
    return 0;
  if (!rewrite.is_last_reader(residual, index)) return 0;
  fuse_at(rewrite, layer, index, {.scale = sum.factor, .residual = true, .activation = sum.activation},
          std::span(&residual, 1));
  return 1;
}

}  // namespace

int fuse_epilogue(Graph& graph, std::span<const Value> kept) {
  Rewrite rewrite(graph, kept);
  int made = 0;
  for (int i = 0; i < rewrite.size(); ++i) made += fuse_bias(rewrite, i);
  for (int i = 0; i < rewrite.size(); ++i) made += fuse_residual_sum(rewrite, i);
  graph.replace_nodes(rewrite.nodes());
  return made;
}

}  // namespace fastnn
