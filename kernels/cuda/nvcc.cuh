#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <bit>
#include <stdexcept>
#include <string>

#include "kernels/bfloat16.h"
#include "kernels/cuda/stream.h"
#include "kernels/float16.h"

namespace fastnn::kernels::cuda {

/// The block's dynamic shared memory, as elements.
template <class T>
__device__ T* shared_memory() {
  extern __shared__ uint4 memory[];
  return reinterpret_cast<T*>(memory);
}

__device__ inline float widened(float x) {
  return x;
}
__device__ inline float widened(Float16 x) {
  return __half2float(__ushort_as_half(x.bits));
}
__device__ inline float widened(Bfloat16 x) {
  return __uint_as_float(static_cast<unsigned>(x.bits) << 16);
}

/// The float as an element, rounded to nearest, ties to even.
template <class A>
__device__ A narrowed(float x) {
  A result;
  if constexpr (sizeof(A) == sizeof(float))
    result = x;
  else if constexpr (std::is_same_v<A, Float16>)
    result.bits = __half_as_ushort(__float2half_rn(x));
  else
    result.bits = __bfloat16_as_ushort(__float2bfloat16_rn(x));
  return result;
}

/// Runs kernel(arguments...) on the stream. Throws std::runtime_error with CUDA's words where the launch is
/// refused.
template <class... P, class... A>
void launch(void (*kernel)(P...), dim3 grid, dim3 block, std::size_t shared_bytes, Stream stream,
            A... arguments) {
  kernel<<<grid, block, shared_bytes, stream>>>(arguments...);
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess)
    throw std::runtime_error("[cuda] launch of grid " + std::to_string(grid.x) + "x" +
                             std::to_string(grid.y) + "x" + std::to_string(grid.z) + ", block " +
                             std::to_string(block.x) + "x" + std::to_string(block.y) + "x" +
                             std::to_string(block.z) + ": " + cudaGetErrorString(error));
}

}  // namespace fastnn::kernels::cuda
