#include "engine/device/cpu/window_lowering.h"

#include "engine/device/cpu/weight_lowering.h"
#include "engine/device/host/window_lowering.h"
#include "engine/graph/ops/depthwise_conv2d.h"
#include "kernels/cpu/avg_pool.h"
#include "kernels/cpu/depthwise.h"
#include "kernels/cpu/lrn.h"
#include "kernels/cpu/slice.h"
#include "kernels/cpu/softmax.h"

namespace fastnn::cpu {
namespace {

namespace k = kernels::cpu;

using host::in;
using host::out;

struct Kernels {
  using Element = float;
  static constexpr const char* kName = "own";
  static constexpr auto avg_pool = k::avg_pool;
  static constexpr auto avg_pool_gradient = k::avg_pool_gradient;
  static constexpr auto concat = k::concat;
  static constexpr auto lrn = k::lrn;
  static constexpr auto lrn_gradient = k::lrn_gradient;
  static constexpr auto mixed_cross_entropy = k::mixed_cross_entropy;
  static constexpr auto mixed_cross_entropy_gradient = k::mixed_cross_entropy_gradient;
  static constexpr auto slice = k::slice;
  static constexpr auto slice_gradient = k::slice_gradient;
};

Lowering lower_depthwise_input_gradient(const OneDnn& onednn, const LoweringRequest& request) {
  const auto conv = place_depthwise(request.output(0), request.input(1),
                                    request.operation<DepthwiseConv2dInputGradient>().window());
  OneDnnOperation operation = convolution_input_gradient(onednn, conv);
  if (is_onednn_best(conv, operation))
    return lower_reader(onednn, request, std::move(operation), set_input_gradient);
  Lowering lowering = host::plain(Kernels::kName, [window = conv.window](const Bindings& b) -> Launch {
    return [window, dy = in<float>(b, 0), w = weights_of(b), dx = out<float>(b)] {
      k::depthwise_conv2d_input_gradient(window, w, dy, dx);
    };
  });
  want_weights(onednn, request, WeightLayout::plain(conv), lowering);
  return lowering;
}

Lowering lower_depthwise_weight_gradient(const OneDnn& onednn, const LoweringRequest& request) {
  const auto conv = place_depthwise(request.input(0), request.output(0),
                                    request.operation<DepthwiseConv2dWeightGradient>().window());
  OneDnnOperation operation = convolution_weight_gradient(onednn, conv);
  if (is_onednn_best(conv, operation)) return lower_weight_gradient(onednn, request, std::move(operation));
  return lower_weight_gradient(
      onednn, request,
      GradientWork{.implementation = Kernels::kName,
                   .layout = WeightLayout::plain(conv),
                   .scratch_bytes = k::depthwise_conv2d_weight_gradient_scratch_bytes(conv.window),
                   .bind = [window = conv.window](const Bindings& b, float* gradient) -> Launch {
                     return
                         [window, x = in<float>(b, 0), dy = in<float>(b, 1), gradient, scratch = b.scratch] {
                           k::depthwise_conv2d_weight_gradient(window, x, dy, gradient, scratch);
                         };
                   }});
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
  OneDnnOperation operation = convolution_forward(onednn, conv);
  if (is_onednn_best(conv, operation))
    return lower_reader(onednn, request, std::move(operation), set_forward);
  Lowering lowering = host::plain(Kernels::kName, [window = conv.window](const Bindings& b) -> Launch {
    return [window, x = in<float>(b, 0), w = weights_of(b), y = out<float>(b)] {
      k::depthwise_conv2d(window, x, w, y);
    };
  });
  want_weights(onednn, request, WeightLayout::plain(conv), lowering);
  return lowering;
}

LoweringTable window_lowerings(const OneDnn& onednn) {
  LoweringTable table = host::window_lowerings<Kernels>();
  table.merge(bound_to(onednn, {{"depthwise_conv2d", lower_depthwise_conv2d},
                                {"depthwise_conv2d_input_gradient", lower_depthwise_input_gradient},
                                {"depthwise_conv2d_weight_gradient", lower_depthwise_weight_gradient}}));
  return table;
}

WeightLayout depthwise_weights(const OneDnn& onednn, const kernels::DepthwiseConv2d& conv) {
  const OneDnnOperation gradient = convolution_weight_gradient(onednn, conv);
  return is_onednn_best(conv, gradient) ? gradient.weights() : WeightLayout::plain(conv);
}

}  // namespace fastnn::cpu
