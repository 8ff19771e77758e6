#include "engine/graph/ops/cast.h"

namespace fastnn {
namespace {

bool is_castable(Dtype dtype) {
  return dtype == Dtype::f32 || dtype == Dtype::bf16;
}

}  // namespace

std::vector<OperandSpec> Cast::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  if (!is_castable(inputs[0].dtype) || !is_castable(to_))
    throw UsageError("[cast] types must be f32 or bf16, got {} to {}", name_of(inputs[0].dtype),
                     name_of(to_));
  return {{inputs[0].shape, to_}};
}

std::vector<Value> Cast::gradient(const GradientRequest& request) const {
  const Dtype from = request.graph.info(request.node.inputs[0]).spec.dtype;
  return {cast(request.graph, request.output_gradients[0], from, request.name("input"))};
}

Value cast(Graph& graph, Value x, Dtype to, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<Cast>(to), {x});
}

}  // namespace fastnn
