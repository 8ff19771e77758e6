#include "engine/device/cpu/depthwise_lowering.h"

#include "engine/device/cpu/own_kernels.h"
#include "engine/device/cpu/weight_lowering.h"
#include "engine/device/lowerings/operands.h"
#include "engine/graph/ops/depthwise_conv2d.h"
#include "kernels/cpu/depthwise.h"

namespace fastnn::cpu {
namespace {

namespace k = kernels::cpu;

using kernels::Bfloat16;

using lowerings::in;
using lowerings::out;

template <class A>
Lowering own_depthwise(const kernels::DepthwiseConv2d& conv) {
  return lowerings::plain(OwnKernels<A>::kName, [window = conv.window](const Bindings& b) -> Launch {
    return [window, x = in<A>(b, 0), w = static_cast<const float*>(weights_of(b)), y = out<A>(b)] {
      k::depthwise_conv2d(window, x, w, y);
    };
  });
}

template <class A>
Lowering own_depthwise_input_gradient(const kernels::DepthwiseConv2d& conv) {
  return lowerings::plain(OwnKernels<A>::kName, [window = conv.window](const Bindings& b) -> Launch {
    return [window, dy = in<A>(b, 0), w = static_cast<const float*>(weights_of(b)), dx = out<A>(b)] {
      k::depthwise_conv2d_input_gradient(window, w, dy, dx);
    };
  });
}

template <class A>
GradientWork own_depthwise_weight_gradient(const kernels::DepthwiseConv2d& conv) {
  return {.implementation = OwnKernels<A>::kName,
          .layout = WeightLayout::plain(conv),
          .scratch_bytes = k::depthwise_conv2d_weight_gradient_scratch_bytes(conv.window),
          .bind = [window = conv.window](const Bindings& b, float* gradient) -> Launch {
            return [window, x = in<A>(b, 0), dy = in<A>(b, 1), gradient, scratch = b.scratch] {
              k::depthwise_conv2d_weight_gradient(window, x, dy, gradient, scratch);
            };
          }};
}

Lowering lower_depthwise_input_gradient(const OneDnn& onednn, const LoweringRequest& request) {
  const auto conv = place_depthwise(request.output(0), request.input(1),
                                    request.operation<DepthwiseConv2dInputGradient>().window());
  OneDnnOperation operation = convolution_input_gradient(onednn, conv, type_of(request));
  if (is_onednn_best(conv, operation))
    return lower_reader(onednn, request, std::move(operation), set_input_gradient);
  Lowering lowering = is_bf16(request) ? own_depthwise_input_gradient<Bfloat16>(conv)
                                       : own_depthwise_input_gradient<float>(conv);
  want_weights(onednn, request, WeightLayout::plain(conv), lowering);
  return lowering;
}

Lowering lower_depthwise_weight_gradient(const OneDnn& onednn, const LoweringRequest& request) {
  const auto conv = place_depthwise(request.input(0), request.output(0),
                                    request.operation<DepthwiseConv2dWeightGradient>().window());
  OneDnnOperation operation = convolution_weight_gradient(onednn, conv, {.type = type_of(request)});
  if (is_onednn_best(conv, operation)) return lower_weight_gradient(onednn, request, std::move(operation));
  return lower_weight_gradient(onednn, request,
                               is_bf16(request) ? own_depthwise_weight_gradient<Bfloat16>(conv)
                                                : own_depthwise_weight_gradient<float>(conv));
}

}  // namespace

// Measured at one thread: without depthwise code oneDNN pads each group to whole vectors of channels. With
// one output channel a group it loses to the own kernel (5x5 and 7x7 weight gradients by 1.5 to 3 times,
// gradients with dilation by 1.7 to 4); with more it wins by 2 to 14.
bool is_onednn_best(const kernels::DepthwiseConv2d& conv, const OneDnnOperation& operation) {
  return conv.M > 1 || operation.implementation().find("dw") != std::string::npos;
}

Lowering lower_depthwise_conv2d(const OneDnn& onednn, const LoweringRequest& request) {
  const auto conv =
      place_depthwise(request.input(0), request.input(1), request.operation<DepthwiseConv2d>().window());
  OneDnnOperation operation = convolution_forward(onednn, conv, {.type = type_of(request)});
  if (is_onednn_best(conv, operation))
    return lower_reader(onednn, request, std::move(operation), set_forward);
  Lowering lowering = is_bf16(request) ? own_depthwise<Bfloat16>(conv) : own_depthwise<float>(conv);
  want_weights(onednn, request, WeightLayout::plain(conv), lowering);
  return lowering;
}

LoweringTable depthwise_lowerings(const OneDnn& onednn) {
  return bound_to(onednn, {{"depthwise_conv2d", lower_depthwise_conv2d},
                           {"depthwise_conv2d_input_gradient", lower_depthwise_input_gradient},
                           {"depthwise_conv2d_weight_gradient", lower_depthwise_weight_gradient}});
}

WeightLayout depthwise_weights(const OneDnn& onednn, const kernels::DepthwiseConv2d& conv, Dtype type) {
  const OneDnnOperation gradient = convolution_weight_gradient(onednn, conv, {.type = type});
  return is_onednn_best(conv, gradient) ? gradient.weights() : WeightLayout::plain(conv);
}

}  // namespace fastnn::cpu
