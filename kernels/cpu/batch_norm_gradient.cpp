#include "kernels/bfloat16.h"
#include "kernels/cpu/batch_norm.h"
#include "kernels/cpu/normalise.h"
#include "kernels/cpu/vector.h"

namespace fastnn::kernels::cpu {
namespace {

/// What masks a gradient, and by what.
template <ActivationMask kBy, Activation kActivation>
struct Mask {
  static constexpr ActivationMask by = kBy;
  static constexpr Activation activation = kActivation;
};

using NoMask = Mask<ActivationMask::none, Activation::none>;

template <class A, bool kTwo, class M, bool kWrite>
struct ReduceRow {
  ReduceRow(const BatchNormGradientReduce<float, A>& o, const RowWalk& walk, const Panel& panel)
      : operands(o), affine(walk, panel, o.mean, o.rstd, o.gamma, o.beta) {}

  void operator()(std::int64_t offset, std::int64_t width, float* sums, float* products) const {
    const A* in = operands.x + offset;
    const A* gradient = operands.dy + offset;
    const A* gradient2 = kTwo ? operands.dy2 + offset : nullptr;
    const A* result = M::by == ActivationMask::output ? operands.y + offset : nullptr;
    A* out = kWrite ? operands.dz + offset : nullptr;
#pragma omp simd
    for (std::int64_t j = 0; j < width; ++j) {
      const float centered = affine.centered(float(in[j]), j);
      float dz = float(gradient[j]);
      if constexpr (kTwo) dz += float(gradient2[j]);
      if constexpr (M::by == ActivationMask::input)
        dz = masked(M::activation, affine.normalised(centered, j), dz);
      if constexpr (M::by == ActivationMask::output) dz = masked(M::activation, float(result[j]), dz);
      if constexpr (kWrite) store(out[j], dz);
      sums[j] += dz;
      products[j] += dz * centered;
    }
  }

  const BatchNormGradientReduce<float, A>& operands;
  Normalise affine;
};

template <bool kTwo, class M, bool kWrite, class A>
void reduce(const BatchNormGradientReduce<float, A>& o, void* scratch) {
  const RowWalk walk(o.rows, o.channels);
  constexpr std::int64_t kTensors = 2 + kTwo + kWrite + (M::by == ActivationMask::output);
  const auto [sums, products] = sum_columns<ReduceRow<A, kTwo, M, kWrite>>(
      walk, kTensors * walk.elements() * kElementBytes<A>, o, scratch);
  for (std::int64_t c = 0; c < o.channels; ++c) {
    o.d_beta[c] = static_cast<float>(sums[c]);
    o.d_gamma[c] = static_cast<float>(products[c] * o.rstd[c]);
  }
}

template <class M, class A>
void reduce(const BatchNormGradientReduce<float, A>& o, void* scratch) {
  if (o.dy2 != nullptr)
    o.dz != nullptr ? reduce<true, M, true>(o, scratch) : reduce<true, M, false>(o, scratch);
  else
    o.dz != nullptr ? reduce<false, M, true>(o, scratch) : reduce<false, M, false>(o, scratch);
}

template <ActivationMask kBy, class A>
void reduce(const BatchNormGradientReduce<float, A>& o, void* scratch) {
  o.activation == Activation::relu6 ? reduce<Mask<kBy, Activation::relu6>>(o, scratch)
                                    : reduce<Mask<kBy, Activation::relu>>(o, scratch);
}

template <class A, Activation kActivation>
struct GradientRow {
  GradientRow(const BatchNormGradientApply<float, A>& o, const RowWalk& walk, const Panel& panel)
      : dy(o.dy), x(o.x), dx(o.dx), affine(walk, panel, o.mean, o.rstd, o.gamma, o.beta) {
    const auto rows = static_cast<float>(o.rows);
    walk.spread(panel, offset_of_dz, [&](std::int64_t c) { return o.d_beta[c] / rows; });
    walk.spread(panel, slope, [&](std::int64_t c) { return o.rstd[c] * o.d_gamma[c] / rows; });
  }

  void operator()(std::int64_t offset, std::int64_t width) const {
    const A* in = x + offset;
    const A* gradient = dy + offset;
    A* out = dx + offset;
#pragma omp simd
    for (std::int64_t j = 0; j < width; ++j) {
      const float centered = affine.centered(float(in[j]), j);
      const float dz = masked(kActivation, affine.normalised(centered, j), float(gradient[j]));
      store(out[j], affine.scale[j] * (dz - offset_of_dz[j] - centered * slope[j]));
    }
  }

  const A* dy;
  const A* x;
  A* dx;
  Normalise affine;
  /// d_beta / rows
  alignas(64) float offset_of_dz[kPanelColumns];
  /// rstd * d_gamma / rows
  alignas(64) float slope[kPanelColumns];
};

template <Activation kActivation, class A>
void gradient_apply(const BatchNormGradientApply<float, A>& o) {
  const RowWalk walk(o.rows, o.channels);
  for_each_row<GradientRow<A, kActivation>>(walk, 3 * walk.elements() * kElementBytes<A>, o);
}

template <class A>
struct FixedGradientRow {
  FixedGradientRow(const BatchNormFixedGradient<float, A>& o, const RowWalk& walk, const Panel& panel)
      : dy(o.dy), dx(o.dx) {
    walk.spread(panel, scale,
                [&](std::int64_t c) { return o.gamma != nullptr ? o.gamma[c] * o.rstd[c] : o.rstd[c]; });
  }

  void operator()(std::int64_t offset, std::int64_t width) const {
    const A* gradient = dy + offset;
    A* out = dx + offset;
#pragma omp simd
    for (std::int64_t j = 0; j < width; ++j) store(out[j], scale[j] * float(gradient[j]));
  }

  const A* dy;
  A* dx;
  alignas(64) float scale[kPanelColumns];
};

}  // namespace

template <class A>
void batch_norm_gradient_reduce(const BatchNormGradientReduce<float, A>& o, void* scratch) {
  switch (o.mask) {
    case ActivationMask::none:
      return reduce<NoMask>(o, scratch);
    case ActivationMask::input:
      return reduce<ActivationMask::input>(o, scratch);
    case ActivationMask::output:
      return reduce<ActivationMask::output>(o, scratch);
  }
}

template <class A>
void batch_norm_gradient_apply(const BatchNormGradientApply<float, A>& o) {
  switch (o.beta == nullptr ? Activation::none : o.activation) {
    case Activation::none:
      return gradient_apply<Activation::none>(o);
    case Activation::relu:
      return gradient_apply<Activation::relu>(o);
    case Activation::relu6:
      return gradient_apply<Activation::relu6>(o);
  }
}

template <class A>
void batch_norm_fixed_gradient(const BatchNormFixedGradient<float, A>& o) {
  const RowWalk walk(o.rows, o.channels);
  for_each_row<FixedGradientRow<A>>(walk, 2 * walk.elements() * kElementBytes<A>, o);
}

template void batch_norm_gradient_reduce(const BatchNormGradientReduce<float, float>&, void*);
template void batch_norm_gradient_reduce(const BatchNormGradientReduce<float, Bfloat16>&, void*);
template void batch_norm_gradient_apply(const BatchNormGradientApply<float, float>&);
template void batch_norm_gradient_apply(const BatchNormGradientApply<float, Bfloat16>&);
template void batch_norm_fixed_gradient(const BatchNormFixedGradient<float, float>&);
template void batch_norm_fixed_gradient(const BatchNormFixedGradient<float, Bfloat16>&);

}  // namespace fastnn::kernels::cpu
