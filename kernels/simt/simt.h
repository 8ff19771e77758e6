#pragma once

#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <tuple>

#include "kernels/bfloat16.h"
#include "kernels/float16.h"
#include "kernels/simt/executor.h"
#include "kernels/simt/stream.h"

/// What CUDA's compiler knows by itself, as far as our kernels use it, for the compiler of the host. A source
/// of kernels/cuda/ compiled with it becomes functions that run on the executor (executor.h).

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)

struct uint3 {
  std::uint32_t x, y, z;
};

struct dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};

/// Reads and writes memory of any type, as CUDA's compiler lets it.
struct [[gnu::may_alias]] alignas(16) uint4 {
  std::uint32_t x, y, z, w;
};

extern constinit thread_local uint3 threadIdx;
extern constinit thread_local uint3 blockIdx;
extern constinit thread_local dim3 blockDim;
extern constinit thread_local dim3 gridDim;

inline void __syncthreads() {
  fastnn::simt::block_barrier();
}

inline void __syncwarp(std::uint32_t mask = ~0U) {
  fastnn::simt::warp_barrier(mask);
}

namespace fastnn::simt {

template <class T>
std::uint64_t packed(T value) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

/// The value of a lane; the thread's own if that lane took no part.
template <class T>
T shuffled(std::uint32_t mask, T value, int source, const char* name) {
  const std::uint64_t* values = exchange(mask, packed(value), name);
  if (source < 0 || source > 31 || (mask >> source & 1) == 0) return value;
  T result;
  std::memcpy(&result, values + source, sizeof result);
  return result;
}

}  // namespace fastnn::simt

template <class T>
T __shfl_xor_sync(std::uint32_t mask, T value, int lanes) {
  return fastnn::simt::shuffled(mask, value, fastnn::simt::lane() ^ lanes, "__shfl_xor_sync");
}

template <class T>
T __shfl_down_sync(std::uint32_t mask, T value, unsigned lanes) {
  return fastnn::simt::shuffled(mask, value, fastnn::simt::lane() + static_cast<int>(lanes),
                                "__shfl_down_sync");
}

template <class T>
T __shfl_sync(std::uint32_t mask, T value, int source) {
  return fastnn::simt::shuffled(mask, value, source, "__shfl_sync");
}

template <class T>
T atomicAdd(T* address, T value) {
  return std::atomic_ref<T>(*address).fetch_add(value, std::memory_order_relaxed);
}

namespace fastnn::kernels::cuda {

/// The block's dynamic shared memory, as elements.
template <class T>
T* shared_memory() {
  return static_cast<T*>(simt::shared_memory());
}

inline float widened(float x) {
  return x;
}
inline float widened(Float16 x) {
  return float(x);
}
inline float widened(Bfloat16 x) {
  return float(x);
}

template <class A>
A narrowed(float x) {
  return A(x);
}

/// Runs kernel(arguments...) on the stream. The arguments are copied.
template <class... P, class... A>
void launch(void (*kernel)(P...), dim3 grid, dim3 block, std::size_t shared_bytes, Stream stream,
            A... arguments) {
  const simt::Launch shape{{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared_bytes};
  const auto work = [kernel, shape, values = std::tuple<P...>(arguments...)] {
    simt::run(shape, [&] { std::apply(kernel, values); });
  };
  stream != nullptr ? stream->submit(work) : work();
}

}  // namespace fastnn::kernels::cuda
