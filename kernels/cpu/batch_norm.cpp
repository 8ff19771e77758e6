#include "kernels/cpu/batch_norm.h"

#include "kernels/bfloat16.h"
#include "kernels/cpu/normalise.h"
#include "kernels/cpu/vector.h"

namespace fastnn::kernels::cpu {
namespace {

template <class A>
struct StatisticsRow {
  StatisticsRow(const BatchNormStatistics<float, A>& o, const RowWalk& walk, const Panel& panel) : x(o.x) {
    walk.spread(panel, pivot, [&](std::int64_t c) { return float(o.x[c]); });
  }

  void operator()(std::int64_t offset, std::int64_t width, float* sums, float* squares) const {
    const A* in = x + offset;
#pragma omp simd
    for (std::int64_t j = 0; j < width; ++j) {
      const float difference = float(in[j]) - pivot[j];
      sums[j] += difference;
      squares[j] += difference * difference;
    }
  }

  const A* x;
  alignas(64) float pivot[kPanelColumns];
};

template <class A, bool kResidual, Activation kActivation>
struct ApplyRow {
  ApplyRow(const BatchNormApply<float, A>& o, const RowWalk& walk, const Panel& panel)
      : x(o.x), residual(o.residual), y(o.y), affine(walk, panel, o.mean, o.rstd, o.gamma, o.beta) {}

  void operator()(std::int64_t offset, std::int64_t width) const {
    const A* in = x + offset;
    const A* added = kResidual ? residual + offset : nullptr;
    A* out = y + offset;
#pragma omp simd
    for (std::int64_t j = 0; j < width; ++j) {
      float z = affine.normalised(affine.centered(float(in[j]), j), j);
      if constexpr (kResidual) z += float(added[j]);
      store(out[j], activated(kActivation, z));
    }
  }

  const A* x;
  const A* residual;
  A* y;
  Normalise affine;
};

template <bool kResidual, Activation kActivation, class A>
void apply(const BatchNormApply<float, A>& o) {
  const RowWalk walk(o.rows, o.channels);
  for_each_row<ApplyRow<A, kResidual, kActivation>>(
      walk, (kResidual ? 3 : 2) * walk.elements() * kElementBytes<A>, o);
}

template <bool kResidual, class A>
void apply(const BatchNormApply<float, A>& o) {
  switch (o.activation) {
    case Activation::none:
      return apply<kResidual, Activation::none>(o);
    case Activation::relu:
      return apply<kResidual, Activation::relu>(o);
    case Activation::relu6:
      return apply<kResidual, Activation::relu6>(o);
  }
}

}  // namespace

std::size_t batch_norm_scratch_bytes(std::int64_t rows, std::int64_t channels) {
  return sum_scratch_bytes(RowWalk(rows, channels));
}

template <class A>
void batch_norm_statistics(const BatchNormStatistics<float, A>& o, void* scratch) {
  const RowWalk walk(o.rows, o.channels);
  const auto [sums, squares] =
      sum_columns<StatisticsRow<A>>(walk, walk.elements() * kElementBytes<A>, o, scratch);
  const auto rows = static_cast<double>(o.rows);
  for (std::int64_t c = 0; c < o.channels; ++c) {
    const double from_pivot = sums[c] / rows;
    double variance = squares[c] / rows - from_pivot * from_pivot;
    if (variance < 0) variance = 0;
    o.mean[c] = static_cast<float>(float(o.x[c]) + from_pivot);
    o.rstd[c] = static_cast<float>(1 / std::sqrt(variance + o.epsilon));
    o.variance[c] = static_cast<float>(variance * rows / std::max(rows - 1, 1.0));
  }
}

template <class A>
void batch_norm_apply(const BatchNormApply<float, A>& o) {
  o.residual != nullptr ? apply<true>(o) : apply<false>(o);
}

template void batch_norm_statistics(const BatchNormStatistics<float, float>&, void*);
template void batch_norm_statistics(const BatchNormStatistics<float, Bfloat16>&, void*);
template void batch_norm_apply(const BatchNormApply<float, float>&);
template void batch_norm_apply(const BatchNormApply<float, Bfloat16>&);

}  // namespace fastnn::kernels::cpu
