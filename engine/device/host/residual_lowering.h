#pragma once

#include "engine/device/host/host_lowering.h"
#include "engine/graph/ops/scale.h"
#include "engine/graph/ops/scale_add.h"

/// Lowerings of ReLU6 and scaled residuals for the devices of this processor, K as in host_lowering.h.
namespace fastnn::host {

template <class K>
Lowering lower_relu6(const LoweringRequest& request) {
  return plain(K::kName, [count = request.output_elements()](const Bindings& b) -> Launch {
    return [count, x = in<T<K>>(b, 0), y = out<T<K>>(b)] { K::relu6(count, x, y); };
  });
}

template <class K>
Lowering lower_relu6_gradient(const LoweringRequest& request) {
  return plain(K::kName, [count = request.output_elements()](const Bindings& b) -> Launch {
    return [count, dy = in<T<K>>(b, 0), y = in<T<K>>(b, 1), dx = out<T<K>>(b)] {
      K::relu6_gradient(count, y, dy, dx);
    };
  });
}

template <class K>
Lowering lower_scale(const LoweringRequest& request) {
  const auto factor = static_cast<F<K>>(request.operation<Scale>().factor());
  return plain(K::kName, [count = request.output_elements(), factor](const Bindings& b) -> Launch {
    return [count, factor, x = in<T<K>>(b, 0), y = out<T<K>>(b)] { K::scale(count, factor, x, y); };
  });
}

template <class K>
Lowering lower_scale_add(const LoweringRequest& request) {
  const auto factor = static_cast<F<K>>(request.operation<ScaleAdd>().factor());
  return plain(K::kName, [count = request.output_elements(), factor](const Bindings& b) -> Launch {
    return [count, factor, x = in<T<K>>(b, 0), r = in<T<K>>(b, 1), y = out<T<K>>(b)] {
      K::scale_add(count, factor, x, r, y);
    };
  });
}

template <class K>
Lowering lower_scale_add_relu(const LoweringRequest& request) {
  const auto factor = static_cast<F<K>>(request.operation<ScaleAddRelu>().factor());
  return plain(K::kName, [count = request.output_elements(), factor](const Bindings& b) -> Launch {
    return [count, factor, x = in<T<K>>(b, 0), r = in<T<K>>(b, 1), y = out<T<K>>(b)] {
      K::scale_add_relu(count, factor, x, r, y);
    };
  });
}

template <class K>
Lowering lower_scale_add_relu_gradient(const LoweringRequest& request) {
  const auto factor = static_cast<F<K>>(request.operation<ScaleAddReluGradient>().factor());
  return plain(K::kName, [count = request.output_elements(), factor](const Bindings& b) -> Launch {
    const T<K>* dy2 = optional_in<T<K>>(b, 2);
    return [count, factor, dy2, dy = in<T<K>>(b, 0), y = in<T<K>>(b, 1), dx = out<T<K>>(b, 0),
            dr = out<T<K>>(b, 1)] { K::scale_add_relu_gradient(count, factor, y, dy, dy2, dx, dr); };
  });
}

/// The rows of a device's table for these operations.
template <class K>
LoweringTable residual_lowerings() {
  return {
      {"relu6", lower_relu6<K>},
      {"relu6_gradient", lower_relu6_gradient<K>},
      {"scale", lower_scale<K>},
      {"scale_add", lower_scale_add<K>},
      {"scale_add_relu", lower_scale_add_relu<K>},
      {"scale_add_relu_gradient", lower_scale_add_relu_gradient<K>},
  };
}

}  // namespace fastnn::host
