#pragma once

#include "engine/device/lowerings/operands.h"
#include "engine/graph/ops/lrn.h"
#include "engine/graph/ops/slice.h"
#include "kernels/lrn.h"
#include "kernels/slice.h"

/// Lowerings of what works across channels: concatenation, slices, local response normalisation.
namespace fastnn::lowerings {

template <class K>
Lowering lower_concat(const K& k, const LoweringRequest& request) {
  std::vector<kernels::ConcatPart<T<K>>> parts;
  for (const Value input : request.node.inputs) parts.push_back({.channels = request.graph.shape(input)[-1]});
  return plain(K::kName, [k, parts, rows = rows_of(request.output(0))](const Bindings& b) -> Launch {
    auto bound = parts;
    for (std::size_t i = 0; i < bound.size(); ++i) bound[i].x = in<T<K>>(b, i);
    return [k, rows, bound, y = out<T<K>>(b)] { k.concat(rows, bound, y); };
  });
}

template <class K>
Lowering lower_slice(const K& k, const LoweringRequest& request) {
  const auto slice = place_slice(request.input(0), request.operation<Slice>().slice());
  return plain(K::kName, [k, slice](const Bindings& b) -> Launch {
    return [k, slice, x = in<T<K>>(b, 0), y = out<T<K>>(b)] { k.slice(slice, x, y); };
  });
}

template <class K>
Lowering lower_slice_gradient(const K& k, const LoweringRequest& request) {
  const auto slice = place_slice(request.output(0), request.operation<SliceGradient>().slice());
  return plain(K::kName, [k, slice](const Bindings& b) -> Launch {
    return [k, slice, dy = in<T<K>>(b, 0), dx = out<T<K>>(b)] { k.slice_gradient(slice, dy, dx); };
  });
}

inline kernels::Lrn place_lrn(const Shape& x, const LrnAttributes& lrn) {
  return {.rows = rows_of(x),
          .channels = x[-1],
          .depth_radius = lrn.depth_radius,
          .bias = lrn.bias,
          .alpha = lrn.alpha,
          .beta = lrn.beta};
}

template <class K>
Lowering lower_lrn(const K& k, const LoweringRequest& request) {
  const auto lrn = place_lrn(request.input(0), request.operation<Lrn>().lrn());
  return plain(K::kName, [k, lrn](const Bindings& b) -> Launch {
    return [k, lrn, x = in<T<K>>(b, 0), y = out<T<K>>(b)] { k.lrn(lrn, x, y); };
  });
}

template <class K>
Lowering lower_lrn_gradient(const K& k, const LoweringRequest& request) {
  const auto lrn = place_lrn(request.input(0), request.operation<LrnGradient>().lrn());
  return plain(K::kName, [k, lrn](const Bindings& b) -> Launch {
    return [k, lrn, dy = in<T<K>>(b, 0), x = in<T<K>>(b, 1), dx = out<T<K>>(b)] {
      k.lrn_gradient(lrn, x, dy, dx);
    };
  });
}

/// The rows of this family.
template <class K>
LoweringTable channel_lowerings(const K& k) {
  return rows_for<K>(k, {
                            {"concat", lower_concat<K>},
                            {"lrn", lower_lrn<K>},
                            {"lrn_gradient", lower_lrn_gradient<K>},
                            {"slice", lower_slice<K>},
                            {"slice_gradient", lower_slice_gradient<K>},
                        });
}

}  // namespace fastnn::lowerings
