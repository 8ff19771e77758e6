#pragma once

#include "engine/device/lowerings/operands.h"
#include "engine/graph/ops/avg_pool.h"
#include "engine/graph/ops/max_pool.h"

/// Lowerings of pools.
namespace fastnn::lowerings {

template <class K>
Lowering lower_max_pool(const K& k, const LoweringRequest& request) {
  const auto& pool = request.operation<MaxPool>();
  const auto window = place_window(request.input(0), pool.kernel(), pool.window());
  return plain(K::kName, [k, window](const Bindings& b) -> Launch {
    return [k, window, x = in<T<K>>(b, 0), y = out<T<K>>(b), taps = out<std::uint8_t>(b, 1)] {
      k.max_pool(window, x, y, taps);
    };
  });
}

template <class K>
Lowering lower_max_pool_gradient(const K& k, const LoweringRequest& request) {
  const auto& pool = request.operation<MaxPoolGradient>();
  const auto window = place_window(request.output(0), pool.kernel(), pool.window());
  return plain(K::kName, [k, window](const Bindings& b) -> Launch {
    return [k, window, dy = in<T<K>>(b, 0), taps = in<std::uint8_t>(b, 1), dx = out<T<K>>(b)] {
      k.max_pool_gradient(window, taps, dy, dx);
    };
  });
}

template <class K>
Lowering lower_avg_pool(const K& k, const LoweringRequest& request) {
  const auto& pool = request.operation<AvgPool>();
  const auto window = place_window(request.input(0), pool.kernel(), pool.window());
  return plain(K::kName, [k, window](const Bindings& b) -> Launch {
    return [k, window, x = in<T<K>>(b, 0), y = out<T<K>>(b)] { k.avg_pool(window, x, y); };
  });
}

template <class K>
Lowering lower_avg_pool_gradient(const K& k, const LoweringRequest& request) {
  const auto& pool = request.operation<AvgPoolGradient>();
  const auto window = place_window(request.output(0), pool.kernel(), pool.window());
  return plain(K::kName, [k, window](const Bindings& b) -> Launch {
    return [k, window, dy = in<T<K>>(b, 0), dx = out<T<K>>(b)] { k.avg_pool_gradient(window, dy, dx); };
  });
}

/// The rows of this family.
template <class K>
LoweringTable pool_lowerings(const K& k) {
  return rows_for<K>(k, {
                            {"avg_pool", lower_avg_pool<K>},
                            {"avg_pool_gradient", lower_avg_pool_gradient<K>},
                            {"max_pool", lower_max_pool<K>},
                            {"max_pool_gradient", lower_max_pool_gradient<K>},
                        });
}

}  // namespace fastnn::lowerings
