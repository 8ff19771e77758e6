#include "engine/device/cpu/lowering_table.h"

#include "engine/device/cpu/depthwise_lowering.h"
#include "engine/device/cpu/fused_layer_lowering.h"
#include "engine/device/cpu/own_kernels.h"
#include "engine/device/cpu/weight_lowering.h"
#include "engine/device/lowerings/activation.h"
#include "engine/device/lowerings/loss.h"
#include "engine/graph/ops/conv2d.h"
#include "engine/graph/ops/depthwise_conv2d.h"
#include "engine/graph/ops/fused_layer.h"

namespace fastnn::cpu {
namespace {

using kernels::Bfloat16;

Lowering lower_conv2d_input_gradient(const OneDnn& onednn, const LoweringRequest& request) {
  const auto conv = place_convolution(request.output(0), request.input(1),
                                      request.operation<Conv2dInputGradient>().window());
  return lower_reader(onednn, request, convolution_input_gradient(onednn, conv, type_of(request)),
                      set_input_gradient);
}

Lowering lower_conv2d_weight_gradient(const OneDnn& onednn, const LoweringRequest& request) {
  const auto conv = place_convolution(request.input(0), request.output(0),
                                      request.operation<Conv2dWeightGradient>().window());
  return lower_weight_gradient(onednn, request,
                               convolution_weight_gradient(onednn, conv, {.type = type_of(request)}));
}

Lowering lower_dense_input_gradient(const OneDnn& onednn, const LoweringRequest& request) {
  const kernels::Dense dense{request.input(0)[0], request.input(1)[0], request.input(1)[1]};
  return lower_reader(onednn, request, dense_input_gradient(onednn, dense, type_of(request)),
                      set_input_gradient);
}

Lowering lower_dense_weight_gradient(const OneDnn& onednn, const LoweringRequest& request) {
  const kernels::Dense dense{request.input(0)[0], request.input(0)[1], request.input(1)[1]};
  return lower_weight_gradient(onednn, request,
                               dense_weight_gradient(onednn, dense, {.type = type_of(request)}));
}

template <class From>
Lowering lower_cast_from(const LoweringRequest& request) {
  const auto count = request.output_elements();
  const bool narrows = request.graph.info(request.node.outputs[0]).spec.dtype == Dtype::bf16;
  return lowerings::plain(OwnKernels<From>::kName, [count, narrows](const Bindings& b) -> Launch {
    const From* x = lowerings::in<From>(b, 0);
    if (narrows) return [count, x, y = lowerings::out<Bfloat16>(b)] { kernels::cpu::cast(count, x, y); };
    return [count, x, y = lowerings::out<float>(b)] { kernels::cpu::cast(count, x, y); };
  });
}

Lowering lower_cast(const LoweringRequest& request) {
  return is_bf16(request) ? lower_cast_from<Bfloat16>(request) : lower_cast_from<float>(request);
}

}  // namespace

Lowering lower_conv2d(const OneDnn& onednn, const LoweringRequest& request) {
  const auto conv =
      place_convolution(request.input(0), request.input(1), request.operation<Conv2d>().window());
  return lower_reader(onednn, request, convolution_forward(onednn, conv, {.type = type_of(request)}),
                      set_forward);
}

Lowering lower_dense(const OneDnn& onednn, const LoweringRequest& request) {
  const kernels::Dense dense{request.input(0)[0], request.input(0)[1], request.input(1)[1]};
  return lower_reader(onednn, request, dense_forward(onednn, dense, {.type = type_of(request)}), set_forward);
}

void OneDnnLayout::pack(const void* plain, void* packed) const {
  convert_weights(onednn_, plain_, static_cast<const float*>(plain), layout_, static_cast<float*>(packed));
}

void OneDnnLayout::unpack(const void* packed, void* plain) const {
  convert_weights(onednn_, layout_, static_cast<const float*>(packed), plain_, static_cast<float*>(plain));
}

LoweringTable bound_to(const OneDnn& onednn, std::initializer_list<OneDnnRow> rows) {
  LoweringTable table;
  for (const OneDnnRow& row : rows)
    table.emplace(row.kind, [&onednn, lower = row.lower](const LoweringRequest& request) {
      return lower(onednn, request);
    });
  return table;
}

LoweringTable lowering_table(const OneDnn& onednn) {
  LoweringTable table = by_type(lowerings::activation_lowerings(OwnKernels<float>{}),
                                lowerings::activation_lowerings(OwnKernels<Bfloat16>{}));
  table.emplace("cast", lower_cast);
  table.merge(lowerings::loss_lowerings(OwnLossKernels{}));
  table.merge(bound_to(onednn, {{"conv2d", lower_conv2d},
                                {"conv2d_input_gradient", lower_conv2d_input_gradient},
                                {"conv2d_weight_gradient", lower_conv2d_weight_gradient},
                                {"dense", lower_dense},
                                {"dense_input_gradient", lower_dense_input_gradient},
                                {"dense_weight_gradient", lower_dense_weight_gradient}}));
  table.merge(fused_layer_lowerings(onednn));
  table.merge(depthwise_lowerings(onednn));
  return table;
}

std::shared_ptr<const ParameterLayout> parameter_layout(const OneDnn& onednn, const Graph& graph,
                                                        Value parameter) {
  const Shape& w = graph.shape(parameter);
  for (const Node& node : graph.nodes()) {
    if (node.inputs.size() < 2 || node.inputs[1] != parameter) continue;
    const Shape& x = graph.shape(node.inputs[0]);
    const Operation* layer = layer_of(node);
    if (layer == nullptr) continue;
    const Dtype type = graph.info(node.inputs[0]).spec.dtype;
    if (layer->kind() == "conv2d") {
      const auto conv = place_convolution(x, w, static_cast<const Conv2d&>(*layer).window());
      return std::make_shared<OneDnnLayout>(
          onednn, WeightLayout::plain(conv),
          convolution_weight_gradient(onednn, conv, {.type = type}).weights());
    }
    if (layer->kind() == "depthwise_conv2d") {
      const auto conv = place_depthwise(x, w, static_cast<const DepthwiseConv2d&>(*layer).window());
      return std::make_shared<OneDnnLayout>(onednn, WeightLayout::plain(conv),
                                            depthwise_weights(onednn, conv, type));
    }
    if (layer->kind() == "dense") {
      const kernels::Dense dense{x[0], w[0], w[1]};
      return std::make_shared<OneDnnLayout>(onednn, WeightLayout::plain(dense),
                                            dense_weight_gradient(onednn, dense, {.type = type}).weights());
    }
  }
  return std::make_shared<DenseLayout>(static_cast<std::size_t>(w.elements()), sizeof(float));
}

}  // namespace fastnn::cpu
