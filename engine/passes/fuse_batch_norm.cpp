#include "engine/passes/fuse_batch_norm.h"

#include <algorithm>
#include <array>

#include "engine/graph/ops/batch_norm_fused.h"
#include "engine/passes/rewrite.h"

namespace fastnn {
namespace {

using kernels::Activation;
using kernels::ActivationMask;

constexpr std::size_t kX = 0, kMean = 1, kRstd = 2, kBeta = 3;

/// What a node computes elementwise, by its kind: none if it is no activation, or no node.
Activation activation_of(const Rewrite& rewrite, int index) {
  if (rewrite.node(index, "relu") != nullptr) return Activation::relu;
  return rewrite.node(index, "relu6") != nullptr ? Activation::relu6 : Activation::none;
}

Activation activation_of_gradient(const Rewrite& rewrite, int index) {
  if (rewrite.node(index, "relu_gradient") != nullptr) return Activation::relu;
  return rewrite.node(index, "relu6_gradient") != nullptr ? Activation::relu6 : Activation::none;
}

/// The operand of a sum that is not 'value'; no value if both are.
Value other_operand(const Node& sum, Value value) {
  if (sum.inputs[0] == sum.inputs[1]) return {};
  return sum.inputs[0] == value ? sum.inputs[1] : sum.inputs[0];
}

/// Puts the fused operation in the place of the last of the nodes it replaces.
void fuse_forward_at(Rewrite& rewrite, int norm_index, std::span<const int> followers, Value residual,
                     Activation activation) {
  Node fused = rewrite.node(norm_index);
  if (residual) fused.inputs.push_back(residual);
  fused.operation = std::make_shared<BatchNormApplyFused>(BatchNormEpilogue{bool(residual), activation});
  fused.outputs = rewrite.node(followers.back()).outputs;
  rewrite.remove(norm_index);
  for (const int follower : followers.first(followers.size() - 1)) rewrite.remove(follower);
  rewrite.replace(followers.back(), std::move(fused));
}

int fuse_forward(Rewrite& rewrite, int norm_index) {
  const Value y = rewrite.node(norm_index).outputs[0];
  const int next = rewrite.only_reader(y);
  if (const Activation activation = activation_of(rewrite, next); activation != Activation::none) {
    fuse_forward_at(rewrite, norm_index, std::array{next}, {}, activation);
    return 1;
  }
  const Node* sum = rewrite.node(next, "add");
  if (sum == nullptr) return 0;
  const Value residual = other_operand(*sum, y);
  if (!residual) return 0;
  const int last = rewrite.only_reader(sum->outputs[0]);
  const Activation activation = activation_of(rewrite, last);
  if (activation != Activation::none)
    fuse_forward_at(rewrite, norm_index, std::array{next, last}, residual, activation);
  else
    fuse_forward_at(rewrite, norm_index, std::array{next}, residual, Activation::none);
  return 1;
}

/// The nodes around an activation's gradient behind a fused batch norm.
struct Backward {
  int mask;
  int reduce;
  Activation activation;
  const Node* forward;
  bool has_residual;
};

/// Operands of the forward pass behind x: beta, and gamma where there is one.
std::vector<Value> parameters_of(const Backward& b) {
  const auto& inputs = b.forward->inputs;
  return {inputs.begin() + kBeta, inputs.end() - (b.has_residual ? 1 : 0)};
}

void append(std::vector<Value>& values, std::span<const Value> more) {
  values.insert(values.end(), more.begin(), more.end());
}

/// mask, reduce and apply without the masked gradient in memory: possible where these two alone read it.
bool fuse_without_dz(Rewrite& rewrite, const Backward& b) {
  const Node& mask = rewrite.node(b.mask);
  const Value dz = mask.outputs[0];
  const int apply = rewrite.reader(dz, "batch_norm_gradient_apply");
  if (b.has_residual || apply < 0 || rewrite.is_kept(dz) || rewrite.readers(dz).size() != 2) return false;
  const auto parameters = parameters_of(b);
  Node reduce = rewrite.node(b.reduce);
  reduce.inputs[0] = mask.inputs[0];
  append(reduce.inputs, parameters);
  reduce.operation = std::make_shared<BatchNormGradientReduceFused>(
      BatchNormGradientSource{.mask = ActivationMask::input, .activation = b.activation});
  Node applied = rewrite.node(apply);
  applied.inputs = {applied.inputs.begin(), applied.inputs.begin() + 6};
  applied.inputs[0] = mask.inputs[0];
  append(applied.inputs, parameters);
  applied.operation = std::make_shared<BatchNormGradientApplyFused>(b.activation);
  rewrite.remove(b.mask);
  rewrite.replace(b.reduce, std::move(reduce));
  rewrite.replace(apply, std::move(applied));
  return true;
}

/// Adds the sources, masks and reduces in one, in the place of the mask; keeps the masked gradient.
void fuse_with_dz(Rewrite& rewrite, const Backward& b, int sum_index) {
  const Node mask = rewrite.node(b.mask);
  Node fused = rewrite.node(b.reduce);
  const bool summed = sum_index >= 0;
  std::vector<Value> inputs = summed ? rewrite.node(sum_index).inputs : std::vector{mask.inputs[0]};
  append(inputs, std::span(fused.inputs).subspan(1));
  if (b.has_residual)
    inputs.push_back(mask.inputs[1]);
  else
    append(inputs, parameters_of(b));
  fused.inputs = std::move(inputs);
  fused.outputs.insert(fused.outputs.begin(), mask.outputs[0]);
  fused.operation = std::make_shared<BatchNormGradientReduceFused>(
      BatchNormGradientSource{.gradients = summed ? 2 : 1,
                              .mask = b.has_residual ? ActivationMask::output : ActivationMask::input,
                              .activation = b.activation,
                              .keep_dz = true});
  rewrite.remove(b.reduce);
  if (summed) rewrite.remove(sum_index);
  rewrite.replace(b.mask, std::move(fused));
}

int find_reduce(const Rewrite& rewrite, Value dz, const Node& forward) {
  for (const int index : rewrite.readers(dz))
    if (const Node* reduce = rewrite.node(index, "batch_norm_gradient_reduce");
        reduce != nullptr && reduce->inputs[0] == dz && reduce->inputs[1] == forward.inputs[kX] &&
        reduce->inputs[2] == forward.inputs[kMean] && reduce->inputs[3] == forward.inputs[kRstd])
      return index;
  return -1;
}

int fuse_backward(Rewrite& rewrite, int mask_index) {
  const Activation activation = activation_of_gradient(rewrite, mask_index);
  if (activation == Activation::none) return 0;
  const Node& mask = rewrite.node(mask_index);
  const Node* forward = rewrite.maker(mask.inputs[1], "batch_norm_apply_fused");
  if (forward == nullptr) return 0;
  const int reduce = find_reduce(rewrite, mask.outputs[0], *forward);
  if (reduce < 0) return 0;
  const auto& epilogue = static_cast<const BatchNormApplyFused&>(*forward->operation).epilogue();
  if (epilogue.activation != activation) return 0;
  const Backward backward{mask_index, reduce, activation, forward, epilogue.residual};
  const Value dy = mask.inputs[0];
  const bool summed = rewrite.maker(dy, "add") != nullptr && rewrite.only_reader(dy) == mask_index;
  if (!summed && fuse_without_dz(rewrite, backward)) return 1;
  fuse_with_dz(rewrite, backward, summed ? rewrite.maker(dy) : -1);
  return 1;
}

}  // namespace

int fuse_batch_norm(Graph& graph, std::span<const Value> kept) {
  Rewrite rewrite(graph, kept);
  int made = 0;
  for (int i = 0; i < rewrite.size(); ++i)
    if (rewrite.node(i, "batch_norm_apply") != nullptr) made += fuse_forward(rewrite, i);
  for (int i = 0; i < rewrite.size(); ++i) made += fuse_backward(rewrite, i);
  graph.replace_nodes(rewrite.nodes());
  return made;
}

}  // namespace fastnn
