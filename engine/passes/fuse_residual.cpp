#include "engine/passes/fuse_residual.h"

#include "engine/graph/ops/scale.h"
#include "engine/graph/ops/scale_add.h"
#include "engine/passes/rewrite.h"

namespace fastnn {
namespace {

int fuse_forward(Rewrite& rewrite, int sum_index) {
  const int relu = rewrite.only_reader(rewrite.node(sum_index).outputs[0]);
  if (rewrite.node(relu, "relu") == nullptr) return 0;
  Node fused = rewrite.node(sum_index);
  fused.operation = std::make_shared<ScaleAddRelu>(static_cast<const ScaleAdd&>(*fused.operation).factor());
  fused.outputs = rewrite.node(relu).outputs;
  rewrite.remove(sum_index);
  rewrite.replace(relu, std::move(fused));
  return 1;
}

int fuse_backward(Rewrite& rewrite, int mask_index) {
  const Node mask = rewrite.node(mask_index);
  const Node* forward = rewrite.maker(mask.inputs[1], "scale_add_relu");
  const int scale_index = rewrite.reader(mask.outputs[0], "scale");
  if (forward == nullptr || scale_index < 0) return 0;
  const Node& scale = rewrite.node(scale_index);
  const double factor = static_cast<const ScaleAddRelu&>(*forward->operation).factor();
  if (static_cast<const Scale&>(*scale.operation).factor() != factor) return 0;
  const Value dy = mask.inputs[0];
  Node fused{.name = scale.name,
             .operation = std::make_shared<ScaleAddReluGradient>(factor),
             .inputs = {dy, mask.inputs[1]},
             .outputs = {mask.outputs[0], scale.outputs[0]}};
  if (const Node* sum = rewrite.maker(dy, "add"); sum != nullptr && rewrite.only_reader(dy) == mask_index) {
    fused.inputs = {sum->inputs[0], mask.inputs[1], sum->inputs[1]};
    rewrite.remove(rewrite.maker(dy));
  }
  rewrite.remove(scale_index);
  rewrite.replace(mask_index, std::move(fused));
  return 1;
}

}  // namespace

int fuse_residual(Graph& graph, std::span<const Value> kept) {
  Rewrite rewrite(graph, kept);
  int made = 0;
  for (int i = 0; i < rewrite.size(); ++i)
    if (rewrite.node(i, "scale_add") != nullptr) made += fuse_forward(rewrite, i);
  for (int i = 0; i < rewrite.size(); ++i)
    if (rewrite.node(i, "relu_gradient") != nullptr) made += fuse_backward(rewrite, i);
  graph.replace_nodes(rewrite.nodes());
  return made;
}

}  // namespace fastnn
