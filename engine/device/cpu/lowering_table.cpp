#include "engine/device/cpu/lowering_table.h"

#include "engine/device/cpu/fused_layer_lowering.h"
#include "engine/device/cpu/weight_lowering.h"
#include "engine/device/cpu/window_lowering.h"
#include "engine/device/host/batch_norm_lowering.h"
#include "engine/device/host/host_lowering.h"
#include "engine/device/host/residual_lowering.h"
#include "engine/graph/ops/conv2d.h"
#include "engine/graph/ops/depthwise_conv2d.h"
#include "engine/graph/ops/fused_layer.h"
#include "kernels/cpu/batch_norm.h"
#include "kernels/cpu/drop_path.h"
#include "kernels/cpu/dropout.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/pool.h"
#include "kernels/cpu/softmax.h"

namespace fastnn::cpu {
namespace {

namespace k = kernels::cpu;
using kernels::Bfloat16;

template <class A>
struct Kernels {
  using Element = A;
  using Figure = float;
  static constexpr const char* kName = "own";
  static constexpr auto add = k::add<A>;
  static constexpr auto bias_add = k::bias_add<A>;
  static constexpr auto bias_gradient_scratch_bytes = k::bias_gradient_scratch_bytes;
  static constexpr auto bias_gradient = k::bias_gradient<A>;
  static constexpr auto bias_relu = k::bias_relu<A>;
  static constexpr auto bias_relu_gradient = k::bias_relu_gradient<A>;
  static constexpr auto relu = k::relu<A>;
  static constexpr auto relu_gradient = k::relu_gradient<A>;
  static constexpr auto max_pool = k::max_pool<A>;
  static constexpr auto max_pool_gradient = k::max_pool_gradient<A>;
  static constexpr auto drop_path = k::drop_path<A>;
  static constexpr auto dropout = k::dropout<A>;
};

template <class A>
struct BatchNormKernels {
  using Element = A;
  using Figure = float;
  static constexpr const char* kName = "own";
  static constexpr auto batch_norm_scratch_bytes = k::batch_norm_scratch_bytes;
  static constexpr auto batch_norm_statistics = k::batch_norm_statistics<A>;
  static constexpr auto batch_norm_apply = k::batch_norm_apply<A>;
  static constexpr auto batch_norm_gradient_reduce = k::batch_norm_gradient_reduce<A>;
  static constexpr auto batch_norm_gradient_apply = k::batch_norm_gradient_apply<A>;
  static constexpr auto batch_norm_fixed_gradient = k::batch_norm_fixed_gradient<A>;
};

template <class A>
struct ResidualKernels {
  using Element = A;
  using Figure = float;
  static constexpr const char* kName = "own";
  static constexpr auto relu6 = k::relu6<A>;
  static constexpr auto relu6_gradient = k::relu6_gradient<A>;
  static constexpr auto scale = k::scale<A>;
  static constexpr auto scale_add = k::scale_add<A>;
  static constexpr auto scale_add_relu = k::scale_add_relu<A>;
  static constexpr auto scale_add_relu_gradient = k::scale_add_relu_gradient<A>;
};

struct LossKernels {
  using Element = float;
  using Figure = float;
  static constexpr const char* kName = "own";
  static constexpr auto softmax = k::softmax;
  static constexpr auto softmax_gradient = k::softmax_gradient;
  static constexpr auto softmax_cross_entropy = k::softmax_cross_entropy;
  static constexpr auto softmax_cross_entropy_gradient = k::softmax_cross_entropy_gradient;
};

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
  return host::plain("own", [count, narrows](const Bindings& b) -> Launch {
    const From* x = host::in<From>(b, 0);
    if (narrows) return [count, x, y = host::out<Bfloat16>(b)] { k::cast(count, x, y); };
    return [count, x, y = host::out<float>(b)] { k::cast(count, x, y); };
  });
}

Lowering lower_cast(const LoweringRequest& request) {
  return type_of(request) == Dtype::bf16 ? lower_cast_from<Bfloat16>(request)
                                         : lower_cast_from<float>(request);
}

template <class A>
LoweringTable own_lowerings() {
  LoweringTable table = host::activation_lowerings<Kernels<A>>();
  table.merge(host::batch_norm_lowerings<BatchNormKernels<A>>());
  table.merge(host::residual_lowerings<ResidualKernels<A>>());
  return table;
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
  LoweringTable table = by_type(own_lowerings<float>(), own_lowerings<Bfloat16>());
  table.emplace("cast", lower_cast);
  table.merge(host::loss_lowerings<LossKernels>());
  table.merge(bound_to(onednn, {{"conv2d", lower_conv2d},
                                {"conv2d_input_gradient", lower_conv2d_input_gradient},
                                {"conv2d_weight_gradient", lower_conv2d_weight_gradient},
                                {"dense", lower_dense},
                                {"dense_input_gradient", lower_dense_input_gradient},
                                {"dense_weight_gradient", lower_dense_weight_gradient}}));
  table.merge(fused_layer_lowerings(onednn));
  table.merge(window_lowerings(onednn));
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
