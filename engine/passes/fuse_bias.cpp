#include "engine/passes/fuse_bias.h"

#include "engine/graph/ops/bias_relu.h"
#include "engine/passes/rewrite.h"

namespace fastnn {
namespace {

int fuse_forward(Rewrite& rewrite, int bias_index) {
  const int relu = rewrite.only_reader(rewrite.node(bias_index).outputs[0]);
  if (rewrite.node(relu, "relu") == nullptr) return 0;
  Node fused = rewrite.node(bias_index);
  fused.operation = std::make_shared<BiasRelu>();
  fused.outputs = rewrite.node(relu).outputs;
  rewrite.remove(bias_index);
  rewrite.replace(relu, std::move(fused));
  return 1;
}

int fuse_backward(Rewrite& rewrite, int mask_index) {
  const Node& mask = rewrite.node(mask_index);
  const int bias_gradient = rewrite.reader(mask.outputs[0], "bias_gradient");
  if (bias_gradient < 0 || rewrite.maker(mask.inputs[1], "bias_relu") == nullptr) return 0;
  Node fused{.name = rewrite.node(bias_gradient).name,
             .operation = std::make_shared<BiasReluGradient>(),
             .inputs = mask.inputs,
             .outputs = {mask.outputs[0], rewrite.node(bias_gradient).outputs[0]}};
  rewrite.remove(bias_gradient);
  rewrite.replace(mask_index, std::move(fused));
  return 1;
}

}  // namespace

int fuse_bias(Graph& graph, std::span<const Value> kept) {
  Rewrite rewrite(graph, kept);
  int made = 0;
  for (int i = 0; i < rewrite.size(); ++i)
    if (rewrite.node(i, "bias_add") != nullptr) made += fuse_forward(rewrite, i);
  for (int i = 0; i < rewrite.size(); ++i)
    if (rewrite.node(i, "relu_gradient") != nullptr) made += fuse_backward(rewrite, i);
  graph.replace_nodes(rewrite.nodes());
  return made;
}

}  // namespace fastnn
