#include "engine/device/cpu/fused_layer_lowering.h"

#include "engine/device/cpu/depthwise_lowering.h"
#include "engine/device/cpu/own_kernels.h"
#include "engine/device/cpu/weight_lowering.h"
#include "engine/device/lowerings/batch_norm.h"
#include "engine/device/lowerings/fused_layer.h"
#include "engine/graph/ops/conv2d.h"
#include "engine/graph/ops/depthwise_conv2d.h"

namespace fastnn::cpu {
namespace {

using kernels::Bfloat16;
using lowerings::in;
using lowerings::out;

ForwardOptions options_of(const LoweringRequest& request) {
  const LayerEpilogue& epilogue = request.operation<FusedLayer>().epilogue();
  return {.type = type_of(request),
          .bias = Bias::add,
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

Lowering lower_composed(const OneDnn& onednn, const LoweringRequest& request, LowerLayer lower_layer) {
  const auto lower = [&](const LoweringRequest& layer) { return lower_layer(onednn, layer); };
  return is_bf16(request) ? lowerings::lower_composed_layer(OwnKernels<Bfloat16>{}, lower, request)
                          : lowerings::lower_composed_layer(OwnKernels<float>{}, lower, request);
}

template <class A>
Launch after_copy(Launch run, std::int64_t count, const Bindings& b) {
  return [run = std::move(run), count, residual = in<A>(b, 3), y = out<A>(b)] {
    kernels::cpu::cast(count, residual, y);
    run();
  };
}

/// With oneDNN's post-operations; where it has only reference code for them, the layer and its epilogue one
/// after another. The residual is copied first where the plan did not give y its memory.
Lowering lower_fused(const OneDnn& onednn, const LoweringRequest& request, OneDnnOperation made,
                     LowerLayer lower_layer) {
  if (made.is_reference_implementation()) return lower_composed(onednn, request, lower_layer);
  Lowering lowering = lower_reader(onednn, request, std::move(made), set_fused);
  if (!request.operation<FusedLayer>().epilogue().residual) return lowering;
  lowering.bind = [bind = lowering.bind, count = request.output_elements(),
                   narrow = is_bf16(request)](const Bindings& b) -> Launch {
    Launch run = bind(b);
    if (b.inputs[3] == b.outputs[0]) return run;
    return narrow ? after_copy<Bfloat16>(run, count, b) : after_copy<float>(run, count, b);
  };
  return lowering;
}

template <class Layer>
const Layer& layer_as(const LoweringRequest& request) {
  return static_cast<const Layer&>(*request.operation<FusedLayer>().layer());
}

Lowering lower_conv2d_fused(const OneDnn& onednn, const LoweringRequest& request) {
  const auto conv = place_convolution(request.input(0), request.input(1), layer_as<Conv2d>(request).window());
  const auto options = options_of(request);
  return lower_fused(onednn, request, convolution_forward(onednn, conv, options), lower_conv2d);
}

Lowering lower_depthwise_fused(const OneDnn& onednn, const LoweringRequest& request) {
  const auto conv =
      place_depthwise(request.input(0), request.input(1), layer_as<DepthwiseConv2d>(request).window());
  const auto options = options_of(request);
  OneDnnOperation operation = convolution_forward(onednn, conv, options);
  if (is_onednn_best(conv, operation))
    return lower_fused(onednn, request, std::move(operation), lower_depthwise_conv2d);
  return lower_composed(onednn, request, lower_depthwise_conv2d);
}

Lowering lower_dense_fused(const OneDnn& onednn, const LoweringRequest& request) {
  const kernels::Dense dense{request.input(0)[0], request.input(0)[1], request.input(1)[1]};
  const auto options = options_of(request);
  return lower_fused(onednn, request, dense_forward(onednn, dense, options), lower_dense);
}

/// Brings the weights into the plain layout of the result first, unless they have it.
Lowering lower_batch_norm_fold(const OneDnn& onednn, const LoweringRequest& request) {
  const auto* native = dynamic_cast<const OneDnnLayout*>(request.input_layouts[0]);
  Lowering lowering = lowerings::lower_batch_norm_fold(OwnKernels<float>{}, request);
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
