#pragma once

#include "engine/device/host/host_lowering.h"
#include "engine/graph/ops/avg_pool.h"
#include "engine/graph/ops/lrn.h"
#include "engine/graph/ops/mixed_cross_entropy.h"
#include "engine/graph/ops/slice.h"
#include "kernels/lrn.h"
#include "kernels/slice.h"

/// More lowerings that differ between the devices of this processor only in the kernel; see host_lowering.h.
namespace fastnn::host {

template <class K>
Lowering lower_avg_pool(const LoweringRequest& request) {
  const auto& pool = request.operation<AvgPool>();
  const auto window = place_window(request.input(0), pool.kernel(), pool.window());
  return plain(K::kName, [window](const Bindings& b) -> Launch {
    return [window, x = in<T<K>>(b, 0), y = out<T<K>>(b)] { K::avg_pool(window, x, y); };
  });
}

template <class K>
Lowering lower_avg_pool_gradient(const LoweringRequest& request) {
  const auto& pool = request.operation<AvgPoolGradient>();
  const auto window = place_window(request.output(0), pool.kernel(), pool.window());
  return plain(K::kName, [window](const Bindings& b) -> Launch {
    return [window, dy = in<T<K>>(b, 0), dx = out<T<K>>(b)] { K::avg_pool_gradient(window, dy, dx); };
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
Lowering lower_lrn(const LoweringRequest& request) {
  const auto lrn = place_lrn(request.input(0), request.operation<Lrn>().lrn());
  return plain(K::kName, [lrn](const Bindings& b) -> Launch {
    return [lrn, x = in<T<K>>(b, 0), y = out<T<K>>(b)] { K::lrn(lrn, x, y); };
  });
}

template <class K>
Lowering lower_lrn_gradient(const LoweringRequest& request) {
  const auto lrn = place_lrn(request.input(0), request.operation<LrnGradient>().lrn());
  return plain(K::kName, [lrn](const Bindings& b) -> Launch {
    return [lrn, dy = in<T<K>>(b, 0), x = in<T<K>>(b, 1), dx = out<T<K>>(b)] {
      K::lrn_gradient(lrn, x, dy, dx);
    };
  });
}

template <class K>
Lowering lower_slice(const LoweringRequest& request) {
  const auto slice = place_slice(request.input(0), request.operation<Slice>().slice());
  return plain(K::kName, [slice](const Bindings& b) -> Launch {
    return [slice, x = in<T<K>>(b, 0), y = out<T<K>>(b)] { K::slice(slice, x, y); };
  });
}

template <class K>
Lowering lower_slice_gradient(const LoweringRequest& request) {
  const auto slice = place_slice(request.output(0), request.operation<SliceGradient>().slice());
  return plain(K::kName, [slice](const Bindings& b) -> Launch {
    return [slice, dy = in<T<K>>(b, 0), dx = out<T<K>>(b)] { K::slice_gradient(slice, dy, dx); };
  });
}

template <class K>
Lowering lower_concat(const LoweringRequest& request) {
  std::vector<kernels::ConcatPart<T<K>>> parts;
  for (const Value input : request.node.inputs) parts.push_back({.channels = request.graph.shape(input)[-1]});
  return plain(K::kName, [parts, rows = rows_of(request.output(0))](const Bindings& b) -> Launch {
    auto bound = parts;
    for (std::size_t i = 0; i < bound.size(); ++i) bound[i].x = in<T<K>>(b, i);
    return [rows, bound, y = out<T<K>>(b)] { K::concat(rows, bound, y); };
  });
}

template <class K>
Lowering lower_mixed_cross_entropy(const LoweringRequest& request) {
  const auto options =
      cross_entropy_of(request.input(0), request.operation<MixedCrossEntropy>().label_smoothing());
  Lowering lowering = plain(K::kName, [options](const Bindings& b) -> Launch {
    const kernels::MixedLabels<T<K>> labels{in<std::int32_t>(b, 1), in<std::int32_t>(b, 2), in<T<K>>(b, 3)};
    return [options, labels, logits = in<T<K>>(b, 0), valid = in<std::int32_t>(b, 4), loss = out<T<K>>(b, 0),
            probabilities = out<T<K>>(b, 1), row_losses = static_cast<T<K>*>(b.scratch)] {
      *loss =
          K::mixed_cross_entropy(with_valid_rows(options, *valid), logits, labels, probabilities, row_losses);
    };
  });
  lowering.scratch_bytes = static_cast<std::size_t>(options.N) * sizeof(T<K>);
  return lowering;
}

template <class K>
Lowering lower_mixed_cross_entropy_gradient(const LoweringRequest& request) {
  const auto options =
      cross_entropy_of(request.input(0), request.operation<MixedCrossEntropyGradient>().label_smoothing());
  return plain(K::kName, [options](const Bindings& b) -> Launch {
    const kernels::MixedLabels<T<K>> labels{in<std::int32_t>(b, 1), in<std::int32_t>(b, 2), in<T<K>>(b, 3)};
    return [options, labels, probabilities = in<T<K>>(b, 0), valid = in<std::int32_t>(b, 4),
            dloss = in<T<K>>(b, 5), dlogits = out<T<K>>(b)] {
      K::mixed_cross_entropy_gradient(with_valid_rows(options, *valid), probabilities, labels, *dloss,
                                      dlogits);
    };
  });
}

/// The rows of mixed labels.
template <class K>
LoweringTable mixed_loss_lowerings() {
  return {
      {"mixed_cross_entropy", lower_mixed_cross_entropy<K>},
      {"mixed_cross_entropy_gradient", lower_mixed_cross_entropy_gradient<K>},
  };
}

/// The other rows of this file.
template <class K>
LoweringTable window_lowerings() {
  return {
      {"avg_pool", lower_avg_pool<K>},
      {"avg_pool_gradient", lower_avg_pool_gradient<K>},
      {"concat", lower_concat<K>},
      {"lrn", lower_lrn<K>},
      {"lrn_gradient", lower_lrn_gradient<K>},
      {"slice", lower_slice<K>},
      {"slice_gradient", lower_slice_gradient<K>},
  };
}

}  // namespace fastnn::host
