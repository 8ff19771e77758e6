#include "engine/device/cpu/weight_lowering.h"

#include <algorithm>

#include "engine/core/align.h"
#include "engine/device/lowerings/operands.h"

namespace fastnn::cpu {

using lowerings::out;

Dtype type_of(const LoweringRequest& request) {
  return request.graph.info(request.node.inputs[0]).spec.dtype;
}

bool is_bf16(const LoweringRequest& request) {
  return type_of(request) == Dtype::bf16;
}

LoweringTable by_type(LoweringTable f32, const LoweringTable& bf16) {
  for (auto& [kind, lower] : f32)
    lower = [wide = lower, narrow = bf16.at(kind)](const LoweringRequest& request) {
      return is_bf16(request) ? narrow(request) : wide(request);
    };
  return f32;
}

const WeightLayout& layout_of(const ParameterLayout* layout) {
  return dynamic_cast<const OneDnnLayout&>(*layout).layout();
}

OneDnnOperation checked(OneDnnOperation operation, const Node& node) {
  if (operation.is_reference_implementation())
    throw UsageError(
        "[cpu] oneDNN has only its reference code for {} ({}): change the layer or its batch size", node.name,
        node.operation->kind());
  return operation;
}

void want_weights(const OneDnn& onednn, const LoweringRequest& request, const WeightLayout& wanted,
                  Lowering& lowering) {
  const WeightLayout master =
      request.input_layouts[1] == nullptr ? wanted.as_plain() : layout_of(request.input_layouts[1]);
  if (master == wanted) return;
  lowering.prepared.push_back({.input = 1,
                               .key = wanted.describe(),
                               .bytes = wanted.bytes(),
                               .bind = [&onednn, master, wanted](void* parameter, void* copy) -> Launch {
                                 const auto reorder = std::make_shared<WeightReorder>(onednn, master, wanted);
                                 const auto scratch =
                                     std::make_shared<std::vector<std::byte>>(reorder->scratch_bytes());
                                 reorder->bind(parameter, copy, scratch->data());
                                 return [reorder, scratch] { reorder->execute(); };
                               }});
}

const void* weights_of(const Bindings& b) {
  return b.prepared.empty() ? b.inputs[1] : b.prepared[0];
}

Lowering lower_reader(const OneDnn& onednn, const LoweringRequest& request, OneDnnOperation made,
                      SetOperands set) {
  const auto operation = std::make_shared<OneDnnOperation>(checked(std::move(made), request.node));
  Lowering lowering{.implementation = operation->implementation(),
                    .scratch_bytes = operation->scratch_bytes()};
  want_weights(onednn, request, operation->weights(), lowering);
  lowering.bind = [operation, set](const Bindings& b) -> Launch {
    OneDnnOperands operands;
    set(b, operands);
    operands.weights = weights_of(b);
    operands.scratch = b.scratch;
    operation->bind(operands);
    return [operation] { operation->execute(); };
  };
  return lowering;
}

void set_forward(const Bindings& b, OneDnnOperands& operands) {
  operands.x = b.inputs[0];
  operands.y = b.outputs[0];
}

void set_input_gradient(const Bindings& b, OneDnnOperands& operands) {
  operands.dy = b.inputs[0];
  operands.dx = b.outputs[0];
}

Lowering lower_weight_gradient(const OneDnn& onednn, const LoweringRequest& request,
                               const GradientWork& work) {
  const WeightLayout& master = layout_of(request.output_layouts[0]);
  Lowering lowering{.implementation = work.implementation, .scratch_bytes = work.scratch_bytes};
  if (work.layout == master) {
    lowering.bind = [work](const Bindings& b) -> Launch { return work.bind(b, out<float>(b)); };
    return lowering;
  }
  const auto reorder = std::make_shared<WeightReorder>(onednn, work.layout, master);
  const std::size_t gradient_at = aligned(std::max(work.scratch_bytes, reorder->scratch_bytes()));
  lowering.scratch_bytes = gradient_at + work.layout.bytes();
  lowering.bind = [work, reorder, gradient_at](const Bindings& b) -> Launch {
    auto* gradient = reinterpret_cast<float*>(static_cast<std::byte*>(b.scratch) + gradient_at);
    reorder->bind(gradient, out<float>(b), b.scratch);
    return [reorder, write = work.bind(b, gradient)] {
      write();
      reorder->execute();
    };
  };
  return lowering;
}

Lowering lower_weight_gradient(const OneDnn& onednn, const LoweringRequest& request, OneDnnOperation made) {
  const auto operation = std::make_shared<OneDnnOperation>(checked(std::move(made), request.node));
  return lower_weight_gradient(
      onednn, request,
      GradientWork{.implementation = operation->implementation(),
                   .layout = operation->weights(),
                   .scratch_bytes = operation->scratch_bytes(),
                   .bind = [operation](const Bindings& b, float* gradient) -> Launch {
                     operation->bind(
                         {.x = b.inputs[0], .dy = b.inputs[1], .d_weights = gradient, .scratch = b.scratch});
                     return [operation] { operation->execute(); };
                   }});
}

}  // namespace fastnn::cpu
