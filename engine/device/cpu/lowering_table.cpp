#include "engine/device/cpu/lowering_table.h"

#include <algorithm>

#include "engine/core/align.h"
#include "engine/device/host/batch_norm_lowering.h"
#include "engine/device/host/host_lowering.h"
#include "engine/device/host/residual_lowering.h"
#include "engine/graph/ops/conv2d.h"
#include "kernels/cpu/batch_norm.h"
#include "kernels/cpu/dropout.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/pool.h"
#include "kernels/cpu/softmax.h"

namespace fastnn::cpu {
namespace {

namespace k = kernels::cpu;

struct Kernels {
  using Element = float;
  static constexpr const char* kName = "own";
  static constexpr auto add = k::add;
  static constexpr auto bias_add = k::bias_add;
  static constexpr auto bias_gradient_scratch_bytes = k::bias_gradient_scratch_bytes;
  static constexpr auto bias_gradient = k::bias_gradient;
  static constexpr auto relu = k::relu;
  static constexpr auto relu_gradient = k::relu_gradient;
  static constexpr auto max_pool = k::max_pool;
  static constexpr auto max_pool_gradient = k::max_pool_gradient;
  static constexpr auto dropout = k::dropout;
  static constexpr auto softmax = k::softmax;
  static constexpr auto softmax_gradient = k::softmax_gradient;
  static constexpr auto softmax_cross_entropy = k::softmax_cross_entropy;
  static constexpr auto softmax_cross_entropy_gradient = k::softmax_cross_entropy_gradient;
};

struct BatchNormKernels {
  using Element = float;
  static constexpr const char* kName = "own";
  static constexpr auto batch_norm_scratch_bytes = k::batch_norm_scratch_bytes;
  static constexpr auto batch_norm_statistics = k::batch_norm_statistics;
  static constexpr auto batch_norm_apply = k::batch_norm_apply;
  static constexpr auto batch_norm_gradient_reduce = k::batch_norm_gradient_reduce;
  static constexpr auto batch_norm_gradient_apply = k::batch_norm_gradient_apply;
  static constexpr auto batch_norm_fixed_gradient = k::batch_norm_fixed_gradient;
};

struct ResidualKernels {
  using Element = float;
  static constexpr const char* kName = "own";
  static constexpr auto relu6 = k::relu6;
  static constexpr auto relu6_gradient = k::relu6_gradient;
  static constexpr auto scale = k::scale;
  static constexpr auto scale_add = k::scale_add;
  static constexpr auto scale_add_relu = k::scale_add_relu;
  static constexpr auto scale_add_relu_gradient = k::scale_add_relu_gradient;
};

using host::in;
using host::out;

const WeightLayout& layout_of(const ParameterLayout* layout) {
  return dynamic_cast<const OneDnnLayout&>(*layout).layout();
}

/// oneDNN falls to its reference code silently, a thousand times slower.
OneDnnOperation checked(OneDnnOperation operation, const Node& node) {
  if (operation.is_reference_implementation())
    throw UsageError(
        "[cpu] oneDNN has only its reference code for {} ({}): change the layer or its batch size", node.name,
        node.operation->kind());
  return operation;
}

using SetOperands = void (*)(const Bindings&, OneDnnOperands&);

/// An operation that reads weights: straight from the master copy where the layouts agree, else from a
/// prepared copy.
Lowering lower_reader(const OneDnn& onednn, const LoweringRequest& request, OneDnnOperation made,
                      SetOperands set) {
  const auto operation = std::make_shared<OneDnnOperation>(checked(std::move(made), request.node));
  const WeightLayout& master = layout_of(request.input_layouts[1]);
  const WeightLayout& wanted = operation->weights();
  Lowering lowering{.implementation = operation->implementation(),
                    .scratch_bytes = operation->scratch_bytes()};
  if (!(master == wanted))
    lowering.prepared.push_back(
        {.input = 1,
         .key = wanted.describe(),
         .bytes = wanted.bytes(),
         .bind = [&onednn, master, wanted](void* parameter, void* copy) -> Launch {
           const auto reorder = std::make_shared<WeightReorder>(onednn, master, wanted);
           const auto scratch = std::make_shared<std::vector<std::byte>>(reorder->scratch_bytes());
           reorder->bind(static_cast<const float*>(parameter), static_cast<float*>(copy), scratch->data());
           return [reorder, scratch] { reorder->execute(); };
         }});
  lowering.bind = [operation, set](const Bindings& b) -> Launch {
    OneDnnOperands operands;
    set(b, operands);
    operands.weights = static_cast<const float*>(b.prepared.empty() ? b.inputs[1] : b.prepared[0]);
    operands.scratch = b.scratch;
    operation->bind(operands);
    return [operation] { operation->execute(); };
  };
  return lowering;
}

/// A weight gradient: straight into the master layout where oneDNN likes it at this batch size too, else by
/// way of scratch and a reorder.
Lowering lower_weight_gradient(const OneDnn& onednn, const LoweringRequest& request, OneDnnOperation made) {
  const auto operation = std::make_shared<OneDnnOperation>(checked(std::move(made), request.node));
  const WeightLayout& master = layout_of(request.output_layouts[0]);
  const bool direct = operation->weights() == master;
  const auto reorder =
      direct ? nullptr : std::make_shared<WeightReorder>(onednn, operation->weights(), master);
  const std::size_t gradient_at =
      aligned(std::max(operation->scratch_bytes(), direct ? 0 : reorder->scratch_bytes()));
  Lowering lowering{.implementation = operation->implementation(),
                    .scratch_bytes = gradient_at + (direct ? 0 : operation->weights().bytes()),
                    .prepared = {}};
  lowering.bind = [operation, reorder, gradient_at](const Bindings& b) -> Launch {
    auto* gradient = out<float>(b);
    auto* written = reorder == nullptr
                        ? gradient
                        : reinterpret_cast<float*>(static_cast<std::byte*>(b.scratch) + gradient_at);
    operation->bind(
        {.x = in<float>(b, 0), .dy = in<float>(b, 1), .d_weights = written, .scratch = b.scratch});
    if (reorder == nullptr) return [operation] { operation->execute(); };
    reorder->bind(written, gradient, b.scratch);
    return [operation, reorder] {
      operation->execute();
      reorder->execute();
    };
  };
  return lowering;
}

void set_forward(const Bindings& b, OneDnnOperands& operands) {
  operands.x = in<float>(b, 0);
  operands.y = out<float>(b);
}

void set_input_gradient(const Bindings& b, OneDnnOperands& operands) {
  operands.dy = in<float>(b, 0);
  operands.dx = out<float>(b);
}

Lowering lower_conv2d(const OneDnn& onednn, const LoweringRequest& request) {
  const auto conv =
      place_convolution(request.input(0), request.input(1), request.operation<Conv2d>().window());
  return lower_reader(onednn, request, convolution_forward(onednn, conv), set_forward);
}

Lowering lower_conv2d_input_gradient(const OneDnn& onednn, const LoweringRequest& request) {
  const auto conv = place_convolution(request.output(0), request.input(1),
                                      request.operation<Conv2dInputGradient>().window());
  return lower_reader(onednn, request, convolution_input_gradient(onednn, conv), set_input_gradient);
}

Lowering lower_conv2d_weight_gradient(const OneDnn& onednn, const LoweringRequest& request) {
  const auto conv = place_convolution(request.input(0), request.output(0),
                                      request.operation<Conv2dWeightGradient>().window());
  return lower_weight_gradient(onednn, request, convolution_weight_gradient(onednn, conv));
}

Lowering lower_dense(const OneDnn& onednn, const LoweringRequest& request) {
  const kernels::Dense dense{request.input(0)[0], request.input(0)[1], request.input(1)[1]};
  return lower_reader(onednn, request, dense_forward(onednn, dense), set_forward);
}

Lowering lower_dense_input_gradient(const OneDnn& onednn, const LoweringRequest& request) {
  const kernels::Dense dense{request.input(0)[0], request.input(1)[0], request.input(1)[1]};
  return lower_reader(onednn, request, dense_input_gradient(onednn, dense), set_input_gradient);
}

Lowering lower_dense_weight_gradient(const OneDnn& onednn, const LoweringRequest& request) {
  const kernels::Dense dense{request.input(0)[0], request.input(0)[1], request.input(1)[1]};
  return lower_weight_gradient(onednn, request, dense_weight_gradient(onednn, dense));
}

}  // namespace

void OneDnnLayout::pack(const void* plain, void* packed) const {
  convert_weights(onednn_, plain_, static_cast<const float*>(plain), layout_, static_cast<float*>(packed));
}

void OneDnnLayout::unpack(const void* packed, void* plain) const {
  convert_weights(onednn_, layout_, static_cast<const float*>(packed), plain_, static_cast<float*>(plain));
}

LoweringTable lowering_table(const OneDnn& onednn) {
  using OneDnnFunction = Lowering (*)(const OneDnn&, const LoweringRequest&);
  const auto with = [&onednn](OneDnnFunction function) -> LowerFunction {
    return [&onednn, function](const LoweringRequest& request) { return function(onednn, request); };
  };
  LoweringTable table = host::lowering_table<Kernels>({
      {"conv2d", with(lower_conv2d)},
      {"conv2d_input_gradient", with(lower_conv2d_input_gradient)},
      {"conv2d_weight_gradient", with(lower_conv2d_weight_gradient)},
      {"dense", with(lower_dense)},
      {"dense_input_gradient", with(lower_dense_input_gradient)},
      {"dense_weight_gradient", with(lower_dense_weight_gradient)},
  });
  table.merge(host::batch_norm_lowerings<BatchNormKernels>());
  table.merge(host::residual_lowerings<ResidualKernels>());
  return table;
}

std::shared_ptr<const ParameterLayout> parameter_layout(const OneDnn& onednn, const Graph& graph,
                                                        Value parameter) {
  const Shape& w = graph.shape(parameter);
  for (const Node& node : graph.nodes()) {
    if (node.inputs.size() < 2 || node.inputs[1] != parameter) continue;
    const Shape& x = graph.shape(node.inputs[0]);
    if (node.operation->kind() == "conv2d") {
      const auto conv = place_convolution(x, w, static_cast<const Conv2d&>(*node.operation).window());
      return std::make_shared<OneDnnLayout>(onednn, WeightLayout::plain(conv),
                                            convolution_weight_gradient(onednn, conv).weights());
    }
    if (node.operation->kind() == "dense") {
      const kernels::Dense dense{x[0], w[0], w[1]};
      return std::make_shared<OneDnnLayout>(onednn, WeightLayout::plain(dense),
                                            dense_weight_gradient(onednn, dense).weights());
    }
  }
  return std::make_shared<DenseLayout>(static_cast<std::size_t>(w.elements()), sizeof(float));
}

}  // namespace fastnn::cpu
