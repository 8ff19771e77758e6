#include "engine/device/cpu/fused_layer_lowering.h"

#include "engine/device/cpu/weight_lowering.h"
#include "engine/device/cpu/window_lowering.h"
#include "engine/device/host/fused_layer_lowering.h"
#include "engine/graph/ops/conv2d.h"
#include "engine/graph/ops/depthwise_conv2d.h"
#include "kernels/cpu/elementwise.h"

namespace fastnn::cpu {
namespace {

using host::in;
using host::out;

struct Kernels {
  using Element = float;
  static constexpr const char* kName = "own";
  static constexpr auto add = kernels::cpu::add;
  static constexpr auto bias_add = kernels::cpu::bias_add;
  static constexpr auto relu = kernels::cpu::relu;
  static constexpr auto relu6 = kernels::cpu::relu6;
  static constexpr auto scale = kernels::cpu::scale;
};

ForwardOptions options_of(const LayerEpilogue& epilogue) {
  return {.bias = Bias::add,
          .scale = epilogue.scale,
          .residual = epilogue.residual ? Residual::in_y : Residual::none,
          .activation = epilogue.activation};
}

void set_fused(const Bindings& b, OneDnnOperands& operands) {
  set_forward(b, operands);
  operands.bias = in<float>(b, 2);
}

/// A lowering of a layer without epilogue.
using LowerLayer = Lowering (*)(const OneDnn&, const LoweringRequest&);

/// With oneDNN's post-operations; where it has only reference code for them, the layer and its epilogue one
/// after another. The residual is copied first where the plan did not give y its memory.
Lowering lower_fused(const OneDnn& onednn, const LoweringRequest& request, OneDnnOperation made,
                     LowerLayer lower_layer) {
  if (made.is_reference_implementation())
    return host::lower_composed_layer<Kernels>(
        [&](const LoweringRequest& layer) { return lower_layer(onednn, layer); }, request);
  Lowering lowering = lower_reader(onednn, request, std::move(made), set_fused);
  if (!request.operation<FusedLayer>().epilogue().residual) return lowering;
  lowering.bind = [bind = lowering.bind, count = request.output_elements()](const Bindings& b) -> Launch {
    Launch run = bind(b);
    if (b.inputs[3] == b.outputs[0]) return run;
    return [run, count, residual = in<float>(b, 3), y = out<float>(b)] {
      kernels::cpu::scale(count, 1, residual, y);
      run();
    };
  };
  return lowering;
}

template <class Layer>
const Layer& layer_as(const LoweringRequest& request) {
  return static_cast<const Layer&>(*request.operation<FusedLayer>().layer());
}

Lowering lower_conv2d_fused(const OneDnn& onednn, const LoweringRequest& request) {
  const auto conv = place_convolution(request.input(0), request.input(1), layer_as<Conv2d>(request).window());
  const auto options = options_of(request.operation<FusedLayer>().epilogue());
  return lower_fused(onednn, request, convolution_forward(onednn, conv, options), lower_conv2d);
}

Lowering lower_depthwise_fused(const OneDnn& onednn, const LoweringRequest& request) {
  const auto conv =
      place_depthwise(request.input(0), request.input(1), layer_as<DepthwiseConv2d>(request).window());
  const auto options = options_of(request.operation<FusedLayer>().epilogue());
  OneDnnOperation operation = convolution_forward(onednn, conv, options);
  if (is_onednn_best(conv, operation))
    return lower_fused(onednn, request, std::move(operation), lower_depthwise_conv2d);
  return host::lower_composed_layer<Kernels>(
      [&](const LoweringRequest& layer) { return lower_depthwise_conv2d(onednn, layer); }, request);
}

Lowering lower_dense_fused(const OneDnn& onednn, const LoweringRequest& request) {
  const kernels::Dense dense{request.input(0)[0], request.input(0)[1], request.input(1)[1]};
  const auto options = options_of(request.operation<FusedLayer>().epilogue());
  return lower_fused(onednn, request, dense_forward(onednn, dense, options), lower_dense);
}

/// Brings the weights into the plain layout of the result first, unless they have it.
Lowering lower_batch_norm_fold(const OneDnn& onednn, const LoweringRequest& request) {
  const auto* native = dynamic_cast<const OneDnnLayout*>(request.input_layouts[0]);
  Lowering lowering = host::lower_batch_norm_fold<Kernels>(request);
  if (native == nullptr) return lowering;
  const auto reorder = std::make_shared<WeightReorder>(onednn, native->layout(), native->plain());
  lowering.scratch_bytes = reorder->scratch_bytes();
  lowering.bind = [reorder, fold = lowering.bind](const Bindings& b) -> Launch {
    reorder->bind(in<float>(b, 0), out<float>(b, 0), b.scratch);
    std::vector<void*> inputs(b.inputs.begin(), b.inputs.end());
    inputs[0] = b.outputs[0];
    Bindings plain = b;
    plain.inputs = inputs;
    return [reorder, run = fold(plain)] {
      reorder->execute();
      run();
    };
  };
  return lowering;
}

}  // namespace

LoweringTable fused_layer_lowerings(const OneDnn& onednn) {
  return bound_to(onednn, {{"batch_norm_fold", lower_batch_norm_fold},
                           {"conv2d_fused", lower_conv2d_fused},
                           {"dense_fused", lower_dense_fused},
                           {"depthwise_conv2d_fused", lower_depthwise_fused}});
}

}  // namespace fastnn::cpu
