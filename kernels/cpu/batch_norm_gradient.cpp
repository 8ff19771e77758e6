#include "kernels/cpu/batch_norm.h"
#include "kernels/cpu/normalise.h"

namespace fastnn::kernels::cpu {
namespace {

constexpr std::int64_t kFloat = sizeof(float);

/// What masks a gradient, and by what.
template <ActivationMask kBy, Activation kActivation>
struct Mask {
  static constexpr ActivationMask by = kBy;
  static constexpr Activation activation = kActivation;
};

using NoMask = Mask<ActivationMask::none, Activation::none>;

template <bool kTwo, class M, bool kWrite>
struct ReduceRow {
  ReduceRow(const BatchNormGradientReduce<float>& o, const RowWalk& walk, const Panel& panel)
      : operands(o), affine(walk, panel, o.mean, o.rstd, o.gamma, o.beta) {}

  void operator()(std::int64_t offset, std::int64_t width, float* sums, float* products) const {
    const float* in = operands.x + offset;
    const float* gradient = operands.dy + offset;
    const float* gradient2 = kTwo ? operands.dy2 + offset : nullptr;
    const float* result = M::by == ActivationMask::output ? operands.y + offset : nullptr;
    float* out = kWrite ? operands.dz + offset : nullptr;
#pragma omp simd
    for (std::int64_t j = 0; j < width; ++j) {
      const float centered = affine.centered(in[j], j);
      float dz = gradient[j];
      if constexpr (kTwo) dz += gradient2[j];
      if constexpr (M::by == ActivationMask::input)
        dz = masked(M::activation, affine.normalised(centered, j), dz);
      if constexpr (M::by == ActivationMask::output) dz = masked(M::activation, result[j], dz);
      if constexpr (kWrite) out[j] = dz;
      sums[j] += dz;
      products[j] += dz * centered;
    }
  }

  const BatchNormGradientReduce<float>& operands;
  Normalise affine;
};

template <bool kTwo, class M, bool kWrite>
void reduce(const BatchNormGradientReduce<float>& o, void* scratch) {
  const RowWalk walk(o.rows, o.channels);
  constexpr std::int64_t kTensors = 2 + kTwo + kWrite + (M::by == ActivationMask::output);
  const auto [sums, products] =
      sum_columns<ReduceRow<kTwo, M, kWrite>>(walk, kTensors * walk.elements() * kFloat, o, scratch);
  for (std::int64_t c = 0; c < o.channels; ++c) {
    o.d_beta[c] = static_cast<float>(sums[c]);
    o.d_gamma[c] = static_cast<float>(products[c] * o.rstd[c]);
  }
}

template <class M>
void reduce(const BatchNormGradientReduce<float>& o, void* scratch) {
  if (o.dy2 != nullptr)
    o.dz != nullptr ? reduce<true, M, true>(o, scratch) : reduce<true, M, false>(o, scratch);
  else
    o.dz != nullptr ? reduce<false, M, true>(o, scratch) : reduce<false, M, false>(o, scratch);
}

template <ActivationMask kBy>
void reduce(const BatchNormGradientReduce<float>& o, void* scratch) {
  o.activation == Activation::relu6 ? reduce<Mask<kBy, Activation::relu6>>(o, scratch)
                                    : reduce<Mask<kBy, Activation::relu>>(o, scratch);
}

template <Activation kActivation>
struct GradientRow {
  GradientRow(const BatchNormGradientApply<float>& o, const RowWalk& walk, const Panel& panel)
      : dy(o.dy), x(o.x), dx(o.dx), affine(walk, panel, o.mean, o.rstd, o.gamma, o.beta) {
    const auto rows = static_cast<float>(o.rows);
    walk.spread(panel, offset_of_dz, [&](std::int64_t c) { return o.d_beta[c] / rows; });
    walk.spread(panel, slope, [&](std::int64_t c) { return o.rstd[c] * o.d_gamma[c] / rows; });
  }

  void operator()(std::int64_t offset, std::int64_t width) const {
    const float* in = x + offset;
    const float* gradient = dy + offset;
    float* out = dx + offset;
#pragma omp simd
    for (std::int64_t j = 0; j < width; ++j) {
      const float centered = affine.centered(in[j], j);
      const float dz = masked(kActivation, affine.normalised(centered, j), gradient[j]);
      out[j] = affine.scale[j] * (dz - offset_of_dz[j] - centered * slope[j]);
    }
  }

  const float* dy;
  const float* x;
  float* dx;
  Normalise affine;
  /// d_beta / rows
  alignas(64) float offset_of_dz[kPanelColumns];
  /// rstd * d_gamma / rows
  alignas(64) float slope[kPanelColumns];
};

template <Activation kActivation>
void gradient_apply(const BatchNormGradientApply<float>& o) {
  const RowWalk walk(o.rows, o.channels);
  for_each_row<GradientRow<kActivation>>(walk, 3 * walk.elements() * kFloat, o);
}

struct FixedGradientRow {
  FixedGradientRow(const BatchNormFixedGradient<float>& o, const RowWalk& walk, const Panel& panel)
      : dy(o.dy), dx(o.dx) {
    walk.spread(panel, scale,
                [&](std::int64_t c) { return o.gamma != nullptr ? o.gamma[c] * o.rstd[c] : o.rstd[c]; });
  }

  void operator()(std::int64_t offset, std::int64_t width) const {
    const float* gradient = dy + offset;
    float* out = dx + offset;
#pragma omp simd
    for (std::int64_t j = 0; j < width; ++j) out[j] = scale[j] * gradient[j];
  }

  const float* dy;
  float* dx;
  alignas(64) float scale[kPanelColumns];
};

}  // namespace

void batch_norm_gradient_reduce(const BatchNormGradientReduce<float>& o, void* scratch) {
  switch (o.mask) {
    case ActivationMask::none:
      return reduce<NoMask>(o, scratch);
    case ActivationMask::input:
      return reduce<ActivationMask::input>(o, scratch);
    case ActivationMask::output:
      return reduce<ActivationMask::output>(o, scratch);
  }
}

void batch_norm_gradient_apply(const BatchNormGradientApply<float>& o) {
  switch (o.beta == nullptr ? Activation::none : o.activation) {
    case Activation::none:
      return gradient_apply<Activation::none>(o);
    case Activation::relu:
      return gradient_apply<Activation::relu>(o);
    case Activation::relu6:
      return gradient_apply<Activation::relu6>(o);
  }
}

void batch_norm_fixed_gradient(const BatchNormFixedGradient<float>& o) {
  const RowWalk walk(o.rows, o.channels);
  for_each_row<FixedGradientRow>(walk, 2 * walk.elements() * kFloat, o);
}

}  // namespace fastnn::kernels::cpu
