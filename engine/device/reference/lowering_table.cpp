#include "engine/device/reference/lowering_table.h"

#include <algorithm>

#include "engine/device/lowerings/activation.h"
#include "engine/device/lowerings/fused_layer.h"
#include "engine/device/lowerings/loss.h"
#include "engine/device/reference/depthwise_lowering.h"
#include "engine/device/reference/kernels.h"
#include "engine/graph/ops/conv2d.h"
#include "kernels/reference/conv2d.h"
#include "kernels/reference/dense.h"

namespace fastnn::reference {
namespace {

namespace k = kernels::reference;

using lowerings::in;
using lowerings::out;
using lowerings::plain;

Lowering lower_conv2d(const LoweringRequest& request) {
  const auto conv =
      place_convolution(request.input(0), request.input(1), request.operation<Conv2d>().window());
  return plain(Kernels::kName, [conv](const Bindings& b) -> Launch {
    return
        [conv, x = in<double>(b, 0), w = in<double>(b, 1), y = out<double>(b)] { k::conv2d(conv, x, w, y); };
  });
}

Lowering lower_conv2d_input_gradient(const LoweringRequest& request) {
  const auto conv = place_convolution(request.output(0), request.input(1),
                                      request.operation<Conv2dInputGradient>().window());
  return plain(Kernels::kName, [conv](const Bindings& b) -> Launch {
    return [conv, dy = in<double>(b, 0), w = in<double>(b, 1), dx = out<double>(b)] {
      k::conv2d_input_gradient(conv, w, dy, dx);
    };
  });
}

Lowering lower_conv2d_weight_gradient(const LoweringRequest& request) {
  const auto conv = place_convolution(request.input(0), request.output(0),
                                      request.operation<Conv2dWeightGradient>().window());
  return plain(Kernels::kName, [conv](const Bindings& b) -> Launch {
    return [conv, x = in<double>(b, 0), dy = in<double>(b, 1), dw = out<double>(b)] {
      k::conv2d_weight_gradient(conv, x, dy, dw);
    };
  });
}

Lowering lower_dense(const LoweringRequest& request) {
  const kernels::Dense dense{request.input(0)[0], request.input(0)[1], request.input(1)[1]};
  return plain(Kernels::kName, [dense](const Bindings& b) -> Launch {
    return
        [dense, x = in<double>(b, 0), w = in<double>(b, 1), y = out<double>(b)] { k::dense(dense, x, w, y); };
  });
}

Lowering lower_dense_input_gradient(const LoweringRequest& request) {
  const kernels::Dense dense{request.input(0)[0], request.input(1)[0], request.input(1)[1]};
  return plain(Kernels::kName, [dense](const Bindings& b) -> Launch {
    return [dense, dy = in<double>(b, 0), w = in<double>(b, 1), dx = out<double>(b)] {
      k::dense_input_gradient(dense, w, dy, dx);
    };
  });
}

Lowering lower_dense_weight_gradient(const LoweringRequest& request) {
  const kernels::Dense dense{request.input(0)[0], request.input(0)[1], request.input(1)[1]};
  return plain(Kernels::kName, [dense](const Bindings& b) -> Launch {
    return [dense, x = in<double>(b, 0), dy = in<double>(b, 1), dw = out<double>(b)] {
      k::dense_weight_gradient(dense, x, dy, dw);
    };
  });
}

/// Every floating-point type is stored in double here.
Lowering lower_cast(const LoweringRequest& request) {
  return plain(Kernels::kName, [count = request.output_elements()](const Bindings& b) -> Launch {
    return [count, x = in<double>(b, 0), y = out<double>(b)] { std::copy_n(x, count, y); };
  });
}

}  // namespace

const LoweringTable& lowering_table() {
  static const LoweringTable table = [] {
    LoweringTable rows = {
        {"cast", lower_cast},
        {"conv2d", lower_conv2d},
        {"conv2d_input_gradient", lower_conv2d_input_gradient},
        {"conv2d_weight_gradient", lower_conv2d_weight_gradient},
        {"dense", lower_dense},
        {"dense_input_gradient", lower_dense_input_gradient},
        {"dense_weight_gradient", lower_dense_weight_gradient},
    };
    constexpr Kernels kernels;
    rows.merge(lowerings::activation_lowerings(kernels));
    rows.merge(lowerings::loss_lowerings(kernels));
    rows.merge(depthwise_lowerings());
    for (const LayerKind& kind : layer_kinds())
      rows.emplace(kind.fused, [lower = rows.at(kind.layer)](const LoweringRequest& request) {
        return lowerings::lower_composed_layer(Kernels{}, lower, request);
      });
    rows.merge(lowerings::rows_for<Kernels>(
        kernels, {{"batch_norm_fold", lowerings::lower_batch_norm_fold<Kernels>}}));
    return rows;
  }();
  return table;
}

}  // namespace fastnn::reference
