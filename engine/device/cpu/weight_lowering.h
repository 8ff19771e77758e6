#pragma once

#include "engine/device/cpu/lowering_table.h"

/// Lowerings of operations with weights, whose layouts may differ between the master copy and each use.
namespace fastnn::cpu {

/// The type of a node's activations: that of its first input.
Dtype type_of(const LoweringRequest& request);
bool is_bf16(const LoweringRequest& request);

/// One table of two: each row lowers with 'bf16' where the first input is bf16, else with 'f32'. Both have
/// the same kinds.
LoweringTable by_type(LoweringTable f32, const LoweringTable& bf16);

/// The layout of a native operand.
const WeightLayout& layout_of(const ParameterLayout* layout);

/// Refuses what oneDNN has only its reference code for, a thousand times slower, to which it falls silently.
/// Throws UsageError naming the node.
OneDnnOperation checked(OneDnnOperation operation, const Node& node);

/// Adds to 'lowering' a prepared copy of the weights, input 1, in the layout 'wanted', unless the weights
/// have it: parameters that of the master copy, what is computed from them the plain one. weights_of() gives
/// the weights at bind time.
void want_weights(const OneDnn& onednn, const LoweringRequest& request, const WeightLayout& wanted,
                  Lowering& lowering);
const void* weights_of(const Bindings& bindings);

using SetOperands = void (*)(const Bindings&, OneDnnOperands&);

/// An operation that reads weights: straight from the master copy where the layouts agree, else from a
/// prepared copy. 'set' names the other operands.
Lowering lower_reader(const OneDnn& onednn, const LoweringRequest& request, OneDnnOperation made,
                      SetOperands set);

/// Inputs x, weights; output y.
void set_forward(const Bindings& bindings, OneDnnOperands& operands);
/// Inputs dy, weights; output dx.
void set_input_gradient(const Bindings& bindings, OneDnnOperands& operands);

/// Writes a weight gradient, given memory for it in the layout the work likes, and scratch.
struct GradientWork {
  std::string implementation;
  WeightLayout layout;
  std::size_t scratch_bytes = 0;
  std::function<Launch(const Bindings&, float* gradient)> bind;
};

/// Inputs x, dy; output the gradient of the weights: straight into the master layout where the work likes it
/// too, else by way of scratch and a reorder.
Lowering lower_weight_gradient(const OneDnn& onednn, const LoweringRequest& request,
                               const GradientWork& work);
Lowering lower_weight_gradient(const OneDnn& onednn, const LoweringRequest& request, OneDnnOperation made);

}  // namespace fastnn::cpu
