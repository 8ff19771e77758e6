#include "engine/device/reference/depthwise_lowering.h"

#include "engine/device/lowerings/operands.h"
#include "engine/device/reference/kernels.h"
#include "engine/graph/ops/depthwise_conv2d.h"
#include "kernels/reference/depthwise.h"

namespace fastnn::reference {
namespace {

namespace k = kernels::reference;

using lowerings::in;
using lowerings::out;
using lowerings::plain;

Lowering lower_depthwise(const LoweringRequest& request) {
  const auto conv =
      place_depthwise(request.input(0), request.input(1), request.operation<DepthwiseConv2d>().window());
  return plain(Kernels::kName, [conv](const Bindings& b) -> Launch {
    return [conv, x = in<double>(b, 0), w = in<double>(b, 1), y = out<double>(b)] {
      k::depthwise_conv2d(conv, x, w, y);
    };
  });
}

Lowering lower_depthwise_input_gradient(const LoweringRequest& request) {
  const auto conv = place_depthwise(request.output(0), request.input(1),
                                    request.operation<DepthwiseConv2dInputGradient>().window());
  return plain(Kernels::kName, [conv](const Bindings& b) -> Launch {
    return [conv, dy = in<double>(b, 0), w = in<double>(b, 1), dx = out<double>(b)] {
      k::depthwise_conv2d_input_gradient(conv, w, dy, dx);
    };
  });
}

Lowering lower_depthwise_weight_gradient(const LoweringRequest& request) {
  const auto conv = place_depthwise(request.input(0), request.output(0),
                                    request.operation<DepthwiseConv2dWeightGradient>().window());
  return plain(Kernels::kName, [conv](const Bindings& b) -> Launch {
    return [conv, x = in<double>(b, 0), dy = in<double>(b, 1), dw = out<double>(b)] {
      k::depthwise_conv2d_weight_gradient(conv, x, dy, dw);
    };
  });
}

}  // namespace

LoweringTable depthwise_lowerings() {
  return {{"depthwise_conv2d", lower_depthwise},
          {"depthwise_conv2d_input_gradient", lower_depthwise_input_gradient},
          {"depthwise_conv2d_weight_gradient", lower_depthwise_weight_gradient}};
}

}  // namespace fastnn::reference
