#pragma once

#include "engine/core/align.h"
#include "engine/device/lowerings/operands.h"
#include "engine/graph/ops/fused_layer.h"

/// Lowerings of layers with an epilogue, as the layer alone and further kernels behind it.
namespace fastnn::lowerings {

/// The layer of a fused node, as a node of its own.
inline Node layer_node(const LoweringRequest& request) {
  return {.name = request.node.name,
          .operation = request.operation<FusedLayer>().layer(),
          .inputs = {request.node.inputs.begin(), request.node.inputs.begin() + 2},
          .outputs = request.node.outputs};
}

template <class K>
void activate(const K& k, kernels::Activation activation, std::int64_t count, const T<K>* x, T<K>* y) {
  switch (activation) {
    case kernels::Activation::none:
      return k.scale(count, 1, x, y);
    case kernels::Activation::relu:
      return k.relu(count, x, y);
    case kernels::Activation::relu6:
      return k.relu6(count, x, y);
  }
}

/// Lowers the layer alone, with 'lower', into scratch, and its epilogue as further kernels of the same
/// launch.
template <class K>
Lowering lower_composed_layer(const K& k, const LowerFunction& lower, const LoweringRequest& request) {
  const Node node = layer_node(request);
  Lowering lowering = lower({request.graph, node, request.input_layouts.first(2), request.output_layouts});
  const Shape y = request.output(0);
  const std::size_t sum_at = aligned(lowering.scratch_bytes);
  lowering.scratch_bytes = sum_at + static_cast<std::size_t>(y.elements()) * sizeof(T<K>);
  lowering.bind = [k, bind_layer = lowering.bind, sum_at, y,
                   epilogue = request.operation<FusedLayer>().epilogue()](const Bindings& b) -> Launch {
    void* sum_memory = static_cast<std::byte*>(b.scratch) + sum_at;
    Bindings layer = b;
    layer.inputs = b.inputs.first(2);
    layer.outputs = {&sum_memory, 1};
    auto* sum = static_cast<T<K>*>(sum_memory);
    const T<K>* residual = optional_in<T<K>>(b, 3);
    return
        [=, run_layer = bind_layer(layer), count = y.elements(), bias = in<F<K>>(b, 2), out = out<T<K>>(b)] {
          run_layer();
          k.bias_add(rows_of(y), y[-1], sum, bias, sum);
          if (epilogue.scale != 1) k.scale(count, static_cast<F<K>>(epilogue.scale), sum, sum);
          if (residual != nullptr) k.add(count, sum, residual, sum);
          activate(k, epilogue.activation, count, sum, out);
        };
  };
  return lowering;
}

}  // namespace fastnn::lowerings
