#include "kernels/cpu/batch_norm.h"

#include "kernels/cpu/normalise.h"

namespace fastnn::kernels::cpu {
namespace {

constexpr std::int64_t kFloat = sizeof(float);

struct StatisticsRow {
  StatisticsRow(const BatchNormStatistics<float>& o, const RowWalk& walk, const Panel& panel) : x(o.x) {
    walk.spread(panel, pivot, [&](std::int64_t c) { return o.x[c]; });
  }

  void operator()(std::int64_t offset, std::int64_t width, float* sums, float* squares) const {
    const float* in = x + offset;
#pragma omp simd
    for (std::int64_t j = 0; j < width; ++j) {
      const float difference = in[j] - pivot[j];
      sums[j] += difference;
      squares[j] += difference * difference;
    }
  }

  const float* x;
  alignas(64) float pivot[kPanelColumns];
};

template <bool kResidual, Activation kActivation>
struct ApplyRow {
  ApplyRow(const BatchNormApply<float>& o, const RowWalk& walk, const Panel& panel)
      : x(o.x), residual(o.residual), y(o.y), affine(walk, panel, o.mean, o.rstd, o.gamma, o.beta) {}

  void operator()(std::int64_t offset, std::int64_t width) const {
    const float* in = x + offset;
    const float* added = kResidual ? residual + offset : nullptr;
    float* out = y + offset;
#pragma omp simd
    for (std::int64_t j = 0; j < width; ++j) {
      float z = affine.normalised(affine.centered(in[j], j), j);
      if constexpr (kResidual) z += added[j];
      out[j] = activated(kActivation, z);
    }
  }

  const float* x;
  const float* residual;
  float* y;
  Normalise affine;
};

template <bool kResidual, Activation kActivation>
void apply(const BatchNormApply<float>& o) {
  const RowWalk walk(o.rows, o.channels);
  for_each_row<ApplyRow<kResidual, kActivation>>(walk, (kResidual ? 3 : 2) * walk.elements() * kFloat, o);
}

template <bool kResidual>
void apply(const BatchNormApply<float>& o) {
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

void batch_norm_statistics(const BatchNormStatistics<float>& o, void* scratch) {
  const RowWalk walk(o.rows, o.channels);
  const auto [sums, squares] = sum_columns<StatisticsRow>(walk, walk.elements() * kFloat, o, scratch);
  const auto rows = static_cast<double>(o.rows);
  for (std::int64_t c = 0; c < o.channels; ++c) {
    const double from_pivot = sums[c] / rows;
    double variance = squares[c] / rows - from_pivot * from_pivot;
    if (variance < 0) variance = 0;
    o.mean[c] = static_cast<float>(o.x[c] + from_pivot);
    o.rstd[c] = static_cast<float>(1 / std::sqrt(variance + o.epsilon));
    o.variance[c] = static_cast<float>(variance * rows / std::max(rows - 1, 1.0));
  }
}

void batch_norm_apply(const BatchNormApply<float>& o) {
  o.residual != nullptr ? apply<true>(o) : apply<false>(o);
}

}  // namespace fastnn::kernels::cpu
