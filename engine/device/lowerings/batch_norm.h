#pragma once

#include "engine/device/lowerings/operands.h"
#include "engine/graph/ops/batch_norm_apply.h"
#include "engine/graph/ops/batch_norm_fused.h"
#include "engine/graph/ops/batch_norm_statistics.h"
#include "engine/graph/ops/fused_layer.h"
#include "engine/graph/ops/moving_average_update.h"
#include "kernels/batch_norm.h"

/// Lowerings of batch norm.
namespace fastnn::lowerings {

/// Operands of the statistics of input 0, which are outputs 0 to 2.
template <class K>
kernels::BatchNormStatistics<F<K>, T<K>> statistics_operands(const Shape& x, double epsilon,
                                                             const Bindings& b) {
  return {.rows = rows_of(x),
          .channels = x[-1],
          .epsilon = epsilon,
          .x = in<T<K>>(b, 0),
          .mean = out<F<K>>(b, 0),
          .rstd = out<F<K>>(b, 1),
          .variance = out<F<K>>(b, 2)};
}

template <class K>
Lowering lower_batch_norm_statistics(const K& k, const LoweringRequest& request) {
  const Shape x = request.input(0);
  const double epsilon = request.operation<BatchNormStatistics>().epsilon();
  Lowering lowering = plain(K::kName, [k, x, epsilon](const Bindings& b) -> Launch {
    return [k, operands = statistics_operands<K>(x, epsilon, b), scratch = b.scratch] {
      k.batch_norm_statistics(operands, scratch);
    };
  });
  lowering.scratch_bytes = k.batch_norm_scratch_bytes(rows_of(x), x[-1]);
  return lowering;
}

template <class K>
Lowering lower_batch_norm_statistics_update(const K& k, const LoweringRequest& request) {
  const Shape x = request.input(0);
  const auto& operation = request.operation<BatchNormStatisticsUpdate>();
  const double epsilon = operation.epsilon(), decay = operation.decay();
  Lowering lowering = plain(K::kName, [k, x, epsilon, decay](const Bindings& b) -> Launch {
    const auto statistics = statistics_operands<K>(x, epsilon, b);
    const kernels::MovingAverageUpdate<F<K>> averages{.channels = x[-1],
                                                      .decay = decay,
                                                      .mean = statistics.mean,
                                                      .variance = statistics.variance,
                                                      .moving_mean = in<F<K>>(b, 1),
                                                      .moving_variance = in<F<K>>(b, 2),
                                                      .new_mean = out<F<K>>(b, 3),
                                                      .new_variance = out<F<K>>(b, 4)};
    return [k, statistics, averages, scratch = b.scratch] {
      k.batch_norm_statistics(statistics, scratch);
      k.moving_average_update(averages);
    };
  });
  lowering.scratch_bytes = k.batch_norm_scratch_bytes(rows_of(x), x[-1]);
  return lowering;
}

template <class K>
Lowering lower_batch_norm_rstd(const K& k, const LoweringRequest& request) {
  const double epsilon = request.operation<BatchNormRstd>().epsilon();
  return plain(K::kName, [k, count = request.output_elements(), epsilon](const Bindings& b) -> Launch {
    return [k, count, epsilon, variance = in<F<K>>(b, 0), rstd = out<F<K>>(b)] {
      k.batch_norm_rstd(count, epsilon, variance, rstd);
    };
  });
}

template <class K>
Lowering lower_batch_norm_apply(const K& k, const LoweringRequest& request, BatchNormEpilogue epilogue) {
  const Shape& x = request.input(0);
  return plain(K::kName, [k, rows = rows_of(x), C = x[-1], epilogue](const Bindings& b) -> Launch {
    const std::size_t vectors_end = b.inputs.size() - (epilogue.residual ? 1 : 0);
    const kernels::BatchNormApply<F<K>, T<K>> operands{
        .rows = rows,
        .channels = C,
        .x = in<T<K>>(b, 0),
        .mean = in<F<K>>(b, 1),
        .rstd = in<F<K>>(b, 2),
        .beta = in<F<K>>(b, 3),
        .gamma = vectors_end > 4 ? in<F<K>>(b, 4) : nullptr,
        .residual = epilogue.residual ? in<T<K>>(b, vectors_end) : nullptr,
        .activation = epilogue.activation,
        .y = out<T<K>>(b)};
    return [k, operands] { k.batch_norm_apply(operands); };
  });
}

template <class K>
Lowering lower_batch_norm_gradient_reduce(const K& k, const LoweringRequest& request,
                                          BatchNormGradientSource source) {
  const Shape& x = request.input(0);
  Lowering lowering = plain(K::kName, [k, rows = rows_of(x), C = x[-1], source](const Bindings& b) -> Launch {
    const auto at = static_cast<std::size_t>(source.gradients);
    const std::size_t sums = source.keep_dz ? 1 : 0;
    kernels::BatchNormGradientReduce<F<K>, T<K>> operands{
        .rows = rows,
        .channels = C,
        .dy = in<T<K>>(b, 0),
        .dy2 = source.gradients == 2 ? in<T<K>>(b, 1) : nullptr,
        .x = in<T<K>>(b, at),
        .mean = in<F<K>>(b, at + 1),
        .rstd = in<F<K>>(b, at + 2),
        .mask = source.mask,
        .activation = source.activation,
        .dz = source.keep_dz ? out<T<K>>(b, 0) : nullptr,
        .d_beta = out<F<K>>(b, sums),
        .d_gamma = out<F<K>>(b, sums + 1)};
    if (source.mask == kernels::ActivationMask::input) {
      operands.beta = in<F<K>>(b, at + 3);
      operands.gamma = optional_in<F<K>>(b, at + 4);
    }
    if (source.mask == kernels::ActivationMask::output) operands.y = in<T<K>>(b, at + 3);
    return [k, operands, scratch = b.scratch] { k.batch_norm_gradient_reduce(operands, scratch); };
  });
  lowering.scratch_bytes = k.batch_norm_scratch_bytes(rows_of(x), x[-1]);
  return lowering;
}

/// Inputs: dy, x, mean, rstd, d_beta, d_gamma, then beta where there is an activation, then gamma.
template <class K>
Lowering lower_batch_norm_gradient_apply(const K& k, const LoweringRequest& request,
                                         kernels::Activation activation) {
  const Shape& x = request.input(0);
  return plain(K::kName, [k, rows = rows_of(x), C = x[-1], activation](const Bindings& b) -> Launch {
    const bool masked = activation != kernels::Activation::none;
    const kernels::BatchNormGradientApply<F<K>, T<K>> operands{.rows = rows,
                                                               .channels = C,
                                                               .dy = in<T<K>>(b, 0),
                                                               .x = in<T<K>>(b, 1),
                                                               .mean = in<F<K>>(b, 2),
                                                               .rstd = in<F<K>>(b, 3),
                                                               .d_beta = in<F<K>>(b, 4),
                                                               .d_gamma = in<F<K>>(b, 5),
                                                               .gamma = optional_in<F<K>>(b, masked ? 7 : 6),
                                                               .beta = masked ? in<F<K>>(b, 6) : nullptr,
                                                               .activation = activation,
                                                               .dx = out<T<K>>(b)};
    return [k, operands] { k.batch_norm_gradient_apply(operands); };
  });
}

template <class K>
Lowering lower_batch_norm_fixed_gradient(const K& k, const LoweringRequest& request) {
  const Shape& dy = request.input(0);
  return plain(K::kName, [k, rows = rows_of(dy), C = dy[-1]](const Bindings& b) -> Launch {
    const kernels::BatchNormFixedGradient<F<K>, T<K>> operands{.rows = rows,
                                                               .channels = C,
                                                               .dy = in<T<K>>(b, 0),
                                                               .rstd = in<F<K>>(b, 1),
                                                               .gamma = optional_in<F<K>>(b, 2),
                                                               .dx = out<T<K>>(b)};
    return [k, operands] { k.batch_norm_fixed_gradient(operands); };
  });
}

template <class K>
Lowering lower_moving_average_update(const K& k, const LoweringRequest& request) {
  const double decay = request.operation<MovingAverageUpdate>().decay();
  return plain(K::kName, [k, channels = request.output_elements(), decay](const Bindings& b) -> Launch {
    const kernels::MovingAverageUpdate<F<K>> operands{.channels = channels,
                                                      .decay = decay,
                                                      .mean = in<F<K>>(b, 0),
                                                      .variance = in<F<K>>(b, 1),
                                                      .moving_mean = in<F<K>>(b, 2),
                                                      .moving_variance = in<F<K>>(b, 3),
                                                      .new_mean = out<F<K>>(b, 0),
                                                      .new_variance = out<F<K>>(b, 1)};
    return [k, operands] { k.moving_average_update(operands); };
  });
}

template <class K>
Lowering lower_batch_norm_fold(const K& k, const LoweringRequest& request) {
  const std::int64_t elements = request.input(0).elements(), channels = request.input(1)[0];
  const double epsilon = request.operation<BatchNormFold>().epsilon();
  return plain(K::kName, [k, elements, channels, epsilon](const Bindings& b) -> Launch {
    const kernels::BatchNormFold<F<K>> operands{.elements = elements,
                                                .channels = channels,
                                                .epsilon = epsilon,
                                                .w = in<F<K>>(b, 0),
                                                .mean = in<F<K>>(b, 1),
                                                .variance = in<F<K>>(b, 2),
                                                .beta = in<F<K>>(b, 3),
                                                .gamma = optional_in<F<K>>(b, 4),
                                                .folded = out<F<K>>(b, 0),
                                                .bias = out<F<K>>(b, 1)};
    return [k, operands] { k.batch_norm_fold(operands); };
  });
}

/// The rows of this family; folding comes apart, since some devices bring the weights into another layout
/// first.
template <class K>
LoweringTable batch_norm_lowerings(const K& k) {
  using Request = const LoweringRequest&;
  return rows_for<K>(
      k, {
             {"batch_norm_apply",
              [](const K& kernels, Request request) { return lower_batch_norm_apply(kernels, request, {}); }},
             {"batch_norm_apply_fused",
              [](const K& kernels, Request request) {
                return lower_batch_norm_apply(kernels, request,
                                              request.operation<BatchNormApplyFused>().epilogue());
              }},
             {"batch_norm_fixed_gradient", lower_batch_norm_fixed_gradient<K>},
             {"batch_norm_gradient_apply",
              [](const K& kernels, Request request) {
                return lower_batch_norm_gradient_apply(kernels, request, kernels::Activation::none);
              }},
             {"batch_norm_gradient_apply_fused",
              [](const K& kernels, Request request) {
                const auto& operation = request.operation<BatchNormGradientApplyFused>();
                return lower_batch_norm_gradient_apply(kernels, request, operation.activation());
              }},
             {"batch_norm_gradient_reduce",
              [](const K& kernels, Request request) {
                return lower_batch_norm_gradient_reduce(kernels, request, {});
              }},
             {"batch_norm_gradient_reduce_fused",
              [](const K& kernels, Request request) {
                const auto& operation = request.operation<BatchNormGradientReduceFused>();
                return lower_batch_norm_gradient_reduce(kernels, request, operation.source());
              }},
             {"batch_norm_rstd", lower_batch_norm_rstd<K>},
             {"batch_norm_statistics", lower_batch_norm_statistics<K>},
             {"batch_norm_statistics_update", lower_batch_norm_statistics_update<K>},
             {"moving_average_update", lower_moving_average_update<K>},
         });
}

}  // namespace fastnn::lowerings
