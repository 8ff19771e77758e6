#pragma once

#include "kernels/cuda/grid.h"
#include "kernels/cuda/vector.cuh"

namespace fastnn::kernels::cuda {

/// Tensors of an elementwise kernel. A null input reads as zeros; a null output is not written. Outputs may
/// be inputs.
template <class A, int kIn, int kOut>
struct Tensors {
  const A* in[kIn];
  A* out[kOut];

  void require_alignment() const {
    for (const A* x : in) kernels::cuda::require_alignment(x);
    for (const A* y : out) kernels::cuda::require_alignment(y);
  }
};

/// Loads kCount elements of each input at an offset, calls f(i, in, out) for each, stores the outputs.
template <int kCount, class A, int kIn, int kOut, class F>
__device__ inline void apply(const Tensors<A, kIn, kOut>& t, std::int64_t offset, const F& f) {
  Vector<kCount> in[kIn];
  Vector<kCount> out[kOut];
  for (int k = 0; k < kIn; ++k)
    in[k] = t.in[k] != nullptr ? load<kCount>(t.in[k] + offset) : Vector<kCount>{};
  for (int i = 0; i < kCount; ++i) {
    float from[kIn];
    float to[kOut];
    for (int k = 0; k < kIn; ++k) from[k] = in[k].at[i];
    f(i, from, to);
    for (int k = 0; k < kOut; ++k) out[k].at[i] = to[k];
  }
  for (int k = 0; k < kOut; ++k)
    if (t.out[k] != nullptr) store(t.out[k] + offset, out[k]);
}

inline constexpr int kMapBlock = kBlockThreads * kVectorsPerThread * kWidth;

template <class A, int kIn, int kOut, class F>
__global__ void __launch_bounds__(kBlockThreads)
    map_kernel(std::int64_t count, Tensors<A, kIn, kOut> tensors, F f) {
  const std::int64_t base = std::int64_t{blockIdx.x} * kMapBlock;
  const int left = count - base < kMapBlock ? static_cast<int>(count - base) : kMapBlock;
  const auto element = [&](int, const float(&in)[kIn], float(&out)[kOut]) { f(in, out); };
  for (int v = 0; v < kVectorsPerThread; ++v) {
    const int at = (v * kBlockThreads + static_cast<int>(threadIdx.x)) * kWidth;
    if (at + kWidth <= left)
      apply<kWidth>(tensors, base + at, element);
    else
      for (int i = at; i < at + kWidth && i < left; ++i) apply<1>(tensors, base + i, element);
  }
}

/// f(in, out) for each element of flat tensors.
template <class A, int kIn, int kOut, class F>
void map(std::int64_t count, const Tensors<A, kIn, kOut>& tensors, const F& f, Stream stream) {
  if (count == 0) return;
  const dim3 grid{static_cast<unsigned>(blocks_of(count, kMapBlock))};
  tensors.require_alignment();
  launch(map_kernel<A, kIn, kOut, F>, grid, dim3{kBlockThreads}, 0, stream, count, tensors, f);
}

}  // namespace fastnn::kernels::cuda
