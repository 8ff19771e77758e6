#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "kernels/cuda/device.cuh"

namespace fastnn::kernels::cuda {

/// Neighbouring elements that a thread reads, computes and writes together: 16 bytes of 16-bit elements,
/// twice 16 of float.
inline constexpr int kWidth = 8;

/// Elements as floats. kCount: kWidth, or 1 where a tensor's rows do not begin on 16 bytes.
template <int kCount>
struct Vector {
  float at[kCount];
};

template <class A, int kCount>
struct Packed {
  A at[kCount];
};

/// 128-bit words that hold kWidth elements.
template <class A>
inline constexpr int kWords = static_cast<int>(kWidth * sizeof(A) / sizeof(uint4));

/// x: 16-byte aligned where kCount is kWidth.
template <int kCount, class A>
__device__ inline Vector<kCount> load(const A* x) {
  Vector<kCount> result;
  if constexpr (kCount == kWidth) {
    constexpr int kPart = kWidth / kWords<A>;
    for (int word = 0; word < kWords<A>; ++word) {
      const uint4 bits = reinterpret_cast<const uint4*>(x)[word];
      const auto part = std::bit_cast<Packed<A, kPart>>(bits);
      for (int i = 0; i < kPart; ++i) result.at[word * kPart + i] = widened(part.at[i]);
    }
  } else {
    for (int i = 0; i < kCount; ++i) result.at[i] = widened(x[i]);
  }
  return result;
}

template <int kCount, class A>
__device__ inline void store(A* y, const Vector<kCount>& values) {
  if constexpr (kCount == kWidth) {
    constexpr int kPart = kWidth / kWords<A>;
    for (int word = 0; word < kWords<A>; ++word) {
      Packed<A, kPart> part;
      for (int i = 0; i < kPart; ++i) part.at[i] = narrowed<A>(values.at[word * kPart + i]);
      reinterpret_cast<uint4*>(y)[word] = std::bit_cast<uint4>(part);
    }
  } else {
    for (int i = 0; i < kCount; ++i) y[i] = narrowed<A>(values.at[i]);
  }
}

inline bool is_aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % sizeof(uint4) == 0;
}

/// Throws std::invalid_argument unless a tensor, if there is one, begins on 16 bytes.
inline void require_alignment(const void* tensor) {
  if (!is_aligned(tensor))
    throw std::invalid_argument(
        "[cuda] a tensor must begin on 16 bytes; allocate it with its own place in memory");
}

}  // namespace fastnn::kernels::cuda
