#pragma once

#include "engine/device/lowerings/operands.h"
#include "engine/graph/ops/scale.h"
#include "engine/graph/ops/scale_add.h"

/// Lowerings of sums, biases, activations and scaled residuals.
namespace fastnn::lowerings {

template <class K>
Lowering lower_add(const K& k, const LoweringRequest& request) {
  return plain(K::kName, [k, count = request.output_elements()](const Bindings& b) -> Launch {
    return [k, count, a = in<T<K>>(b, 0), c = in<T<K>>(b, 1), y = out<T<K>>(b)] { k.add(count, a, c, y); };
  });
}

template <class K>
Lowering lower_bias_add(const K& k, const LoweringRequest& request) {
  const Shape& x = request.input(0);
  return plain(K::kName, [k, rows = rows_of(x), channels = x[-1]](const Bindings& b) -> Launch {
    return [=, x = in<T<K>>(b, 0), biases = in<F<K>>(b, 1), y = out<T<K>>(b)] {
      k.bias_add(rows, channels, x, biases, y);
    };
  });
}

template <class K>
Lowering lower_bias_gradient(const K& k, const LoweringRequest& request) {
  const Shape& dy = request.input(0);
  Lowering lowering =
      plain(K::kName, [k, rows = rows_of(dy), channels = dy[-1]](const Bindings& b) -> Launch {
        return [=, dy = in<T<K>>(b, 0), db = out<F<K>>(b), scratch = b.scratch] {
          k.bias_gradient(rows, channels, dy, db, scratch);
        };
      });
  lowering.scratch_bytes = k.bias_gradient_scratch_bytes(rows_of(dy), dy[-1]);
  return lowering;
}

template <class K>
Lowering lower_bias_relu(const K& k, const LoweringRequest& request) {
  const Shape& x = request.input(0);
  return plain(K::kName, [k, rows = rows_of(x), channels = x[-1]](const Bindings& b) -> Launch {
    return [=, x = in<T<K>>(b, 0), biases = in<F<K>>(b, 1), y = out<T<K>>(b)] {
      k.bias_relu(rows, channels, x, biases, y);
    };
  });
}

template <class K>
Lowering lower_bias_relu_gradient(const K& k, const LoweringRequest& request) {
  const Shape& dy = request.input(0);
  Lowering lowering =
      plain(K::kName, [k, rows = rows_of(dy), channels = dy[-1]](const Bindings& b) -> Launch {
        return [=, dy = in<T<K>>(b, 0), y = in<T<K>>(b, 1), dz = out<T<K>>(b, 0), db = out<F<K>>(b, 1),
                scratch = b.scratch] { k.bias_relu_gradient(rows, channels, y, dy, dz, db, scratch); };
      });
  lowering.scratch_bytes = k.bias_gradient_scratch_bytes(rows_of(dy), dy[-1]);
  return lowering;
}

template <class K>
Lowering lower_relu(const K& k, const LoweringRequest& request) {
  return plain(K::kName, [k, count = request.output_elements()](const Bindings& b) -> Launch {
    return [k, count, x = in<T<K>>(b, 0), y = out<T<K>>(b)] { k.relu(count, x, y); };
  });
}

template <class K>
Lowering lower_relu_gradient(const K& k, const LoweringRequest& request) {
  return plain(K::kName, [k, count = request.output_elements()](const Bindings& b) -> Launch {
    return [k, count, dy = in<T<K>>(b, 0), y = in<T<K>>(b, 1), dx = out<T<K>>(b)] {
      k.relu_gradient(count, y, dy, dx);
    };
  });
}

template <class K>
Lowering lower_relu6(const K& k, const LoweringRequest& request) {
  return plain(K::kName, [k, count = request.output_elements()](const Bindings& b) -> Launch {
    return [k, count, x = in<T<K>>(b, 0), y = out<T<K>>(b)] { k.relu6(count, x, y); };
  });
}

template <class K>
Lowering lower_relu6_gradient(const K& k, const LoweringRequest& request) {
  return plain(K::kName, [k, count = request.output_elements()](const Bindings& b) -> Launch {
    return [k, count, dy = in<T<K>>(b, 0), y = in<T<K>>(b, 1), dx = out<T<K>>(b)] {
      k.relu6_gradient(count, y, dy, dx);
    };
  });
}

template <class K>
Lowering lower_scale(const K& k, const LoweringRequest& request) {
  const auto factor = static_cast<F<K>>(request.operation<Scale>().factor());
  return plain(K::kName, [k, count = request.output_elements(), factor](const Bindings& b) -> Launch {
    return [k, count, factor, x = in<T<K>>(b, 0), y = out<T<K>>(b)] { k.scale(count, factor, x, y); };
  });
}

template <class K>
Lowering lower_scale_add(const K& k, const LoweringRequest& request) {
  const auto factor = static_cast<F<K>>(request.operation<ScaleAdd>().factor());
  return plain(K::kName, [k, count = request.output_elements(), factor](const Bindings& b) -> Launch {
    return [k, count, factor, x = in<T<K>>(b, 0), r = in<T<K>>(b, 1), y = out<T<K>>(b)] {
      k.scale_add(count, factor, x, r, y);
    };
  });
}

template <class K>
Lowering lower_scale_add_relu(const K& k, const LoweringRequest& request) {
  const auto factor = static_cast<F<K>>(request.operation<ScaleAddRelu>().factor());
  return plain(K::kName, [k, count = request.output_elements(), factor](const Bindings& b) -> Launch {
    return [k, count, factor, x = in<T<K>>(b, 0), r = in<T<K>>(b, 1), y = out<T<K>>(b)] {
      k.scale_add_relu(count, factor, x, r, y);
    };
  });
}

template <class K>
Lowering lower_scale_add_relu_gradient(const K& k, const LoweringRequest& request) {
  const auto factor = static_cast<F<K>>(request.operation<ScaleAddReluGradient>().factor());
  return plain(K::kName, [k, count = request.output_elements(), factor](const Bindings& b) -> Launch {
    const T<K>* dy2 = optional_in<T<K>>(b, 2);
    return [k, count, factor, dy2, dy = in<T<K>>(b, 0), y = in<T<K>>(b, 1), dx = out<T<K>>(b, 0),
            dr = out<T<K>>(b, 1)] { k.scale_add_relu_gradient(count, factor, y, dy, dy2, dx, dr); };
  });
}

/// The rows of this family.
template <class K>
LoweringTable elementwise_lowerings(const K& k) {
  return rows_for<K>(k, {
                            {"add", lower_add<K>},
                            {"bias_add", lower_bias_add<K>},
                            {"bias_gradient", lower_bias_gradient<K>},
                            {"bias_relu", lower_bias_relu<K>},
                            {"bias_relu_gradient", lower_bias_relu_gradient<K>},
                            {"relu", lower_relu<K>},
                            {"relu_gradient", lower_relu_gradient<K>},
                            {"relu6", lower_relu6<K>},
                            {"relu6_gradient", lower_relu6_gradient<K>},
                            {"scale", lower_scale<K>},
                            {"scale_add", lower_scale_add<K>},
                            {"scale_add_relu", lower_scale_add_relu<K>},
                            {"scale_add_relu_gradient", lower_scale_add_relu_gradient<K>},
                        });
}

}  // namespace fastnn::lowerings
