#include "tests/kernels/simt/planted.h"

#include <vector>

#include "kernels/cuda/device.cuh"

namespace fastnn::tests {
namespace {

using kernels::cuda::launch;
using kernels::cuda::shared_memory;

constexpr int kThreads = 64;

__global__ void doubled(const float* x, float* y) {
  y[threadIdx.x] = 2 * x[threadIdx.x];
}

__global__ void reversed(const float* x, float* y) {
  float* shared = shared_memory<float>();
  shared[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

__global__ void reversed_without_barrier(const float* x, float* y) {
  float* shared = shared_memory<float>();
  shared[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

// The second round writes while slower threads still read the first.
__global__ void reversed_twice_with_one_barrier(const float* x, float* y) {
  float* shared = shared_memory<float>();
  for (int round = 0; round < 2; ++round) {
    shared[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
  }
}

__global__ void reversed_behind_warp_barrier(const float* x, float* y) {
  float* shared = shared_memory<float>();
  shared[threadIdx.x] = x[threadIdx.x];
  __syncwarp();
  const unsigned first = threadIdx.x / 32 * 32;
  y[threadIdx.x] = shared[first + 31 - threadIdx.x % 32];
}

// A shuffle waits, but does not make memory visible.
__global__ void reversed_behind_shuffle(const float* x, float* y) {
  float* shared = shared_memory<float>();
  shared[threadIdx.x] = x[threadIdx.x];
  const float other = __shfl_xor_sync(~0U, 0.0F, 1);
  const unsigned first = threadIdx.x / 32 * 32;
  y[threadIdx.x] = shared[first + 31 - threadIdx.x % 32] + other;
}

__global__ void counted(float* y) {
  atomicAdd(y, 1.0F);
}

__global__ void counted_without_atomics(float* y) {
  if (threadIdx.x == 0) y[0] += 1;
}

struct Data {
  std::vector<float> x = std::vector<float>(kThreads, 1.0F), y = std::vector<float>(kThreads);
};

template <auto kKernel>
void run_with_shared(std::size_t bytes = kThreads * sizeof(float)) {
  Data data;
  launch(kKernel, dim3{1}, dim3{kThreads}, bytes, nullptr, data.x.data(), data.y.data());
}

constexpr std::string_view kOutOfBounds = "heap-buffer-overflow", kRace = "data race";

constexpr Planted kPlanted[] = {
    {"in bounds", "", "", [] { run_with_shared<doubled>(); }},
    {"global memory out of bounds", kOutOfBounds, "",
     [] {
       Data data;
       launch(doubled, dim3{1}, dim3{kThreads + 1}, 0, nullptr, data.x.data(), data.y.data());
     }},
    {"shared memory out of bounds", kOutOfBounds, "",
     [] { run_with_shared<reversed>((kThreads - 1) * sizeof(float)); }},
    {"with its barrier", "", "", [] { run_with_shared<reversed>(); }},
    {"missing barrier", "", kRace, [] { run_with_shared<reversed_without_barrier>(); }},
    {"missing second barrier", "", kRace, [] { run_with_shared<reversed_twice_with_one_barrier>(); }},
    {"with its warp barrier", "", "", [] { run_with_shared<reversed_behind_warp_barrier>(); }},
    {"shuffle as a barrier", "", kRace, [] { run_with_shared<reversed_behind_shuffle>(); }},
    {"blocks that add by atomics", "", "",
     [] {
       Data data;
       launch(counted, dim3{3}, dim3{2}, 0, nullptr, data.y.data());
     }},
    {"blocks that race", "", kRace,
     [] {
       Data data;
       launch(counted_without_atomics, dim3{3}, dim3{2}, 0, nullptr, data.y.data());
     }},
};

}  // namespace

std::span<const Planted> planted_kernels() {
  return kPlanted;
}

}  // namespace fastnn::tests
