#include "kernels/simt/executor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/cuda/device.cuh"
#include "tests/support/catch.h"

using namespace fastnn;
using kernels::cuda::launch;
using kernels::cuda::shared_memory;

namespace {

__global__ void write_indices(std::uint32_t* y) {
  const std::uint32_t block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const std::uint32_t thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  y[block * blockDim.x * blockDim.y * blockDim.z + thread] += 1 + thread + 100 * block;
}

__global__ void reverse(const float* x, float* y) {
  float* shared = shared_memory<float>();
  shared[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

__global__ void reverse_without_barrier(const float* x, float* y) {
  float* shared = shared_memory<float>();
  shared[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

// A tree over the warp, then over its results.
__global__ void block_sum(const int* x, int* y) {
  int sum = x[threadIdx.x];
  for (unsigned lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0U, sum, lanes);
  int* shared = shared_memory<int>();
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) sum += shared[warp];
  y[0] = sum;
}

__global__ void exchange_lanes(int* xored, int* broadcast) {
  const int lane = static_cast<int>(threadIdx.x);
  xored[lane] = __shfl_xor_sync(~0U, lane, 5);
  broadcast[lane] = __shfl_sync(~0U, lane * lane, 7);
}

__global__ void leave_before_barrier(float* y) {
  if (threadIdx.x % 2 == 0) return;
  __syncthreads();
  y[threadIdx.x] = 1;
}

__global__ void barrier_against_shuffle(float* y) {
  if (threadIdx.x < 16)
    __syncthreads();
  else
    y[threadIdx.x] = __shfl_xor_sync(0xFFFF0000U, 1.0F, 1) + __shfl_xor_sync(~0U, 1.0F, 1);
}

__global__ void shuffle_after_exit(float* y) {
  if (threadIdx.x == 3) return;
  y[threadIdx.x] = __shfl_xor_sync(~0U, 1.0F, 1);
}

__global__ void shuffle_with_foreign_mask(float* y) {
  y[threadIdx.x] = __shfl_xor_sync(1U << ((threadIdx.x + 1) % 32), 1.0F, 1);
}

__global__ void shuffle_of_different_kinds(float* y) {
  y[threadIdx.x] = threadIdx.x == 5 ? __shfl_down_sync(~0U, 1.0F, 1) : __shfl_xor_sync(~0U, 1.0F, 1);
}

__global__ void add_one(float* y) {
  atomicAdd(y, 1.0F);
}

__global__ void fail(int* y) {
  if (threadIdx.x == 1) throw std::runtime_error("from a thread");
  __syncthreads();
  y[0] = 1;
}

std::string message_of(void (*kernel)(float*), std::uint32_t threads) {
  std::vector<float> y(threads);
  try {
    launch(kernel, dim3{1}, dim3{threads}, 0, nullptr, y.data());
  } catch (const simt::Error& error) {
    return error.what();
  }
  return "";
}

bool mentions(const std::string& text, const std::string& part) {
  UNSCOPED_INFO(text);
  return text.find(part) != std::string::npos;
}

std::vector<float> counted(std::size_t count) {
  std::vector<float> x(count);
  std::iota(x.begin(), x.end(), 1.0F);
  return x;
}

/// Keeps what is submitted.
struct HeldStream final : CUstream_st {
  void submit(std::function<void()> work) override { held.push_back(std::move(work)); }

  std::deque<std::function<void()>> held;
};

const std::array kOrders = {simt::Order::forward, simt::Order::reverse, simt::Order::random};

}  // namespace

TEST_CASE("simt: every thread of every block runs once, with its own indices, in any order") {
  constexpr std::uint32_t kBlocks = 2 * 3 * 2, kThreads = 4 * 2 * 3;
  for (const simt::Order order : kOrders) {
    const simt::ScopedOrder scoped(order, 11);
    std::vector<std::uint32_t> y(kBlocks * kThreads);
    launch(write_indices, dim3{2, 3, 2}, dim3{4, 2, 3}, 0, nullptr, y.data());
    for (std::uint32_t i = 0; i < y.size(); ++i) REQUIRE(y[i] == 1 + i % kThreads + 100 * (i / kThreads));
  }
}

TEST_CASE("simt: what threads write before a barrier the others read behind it, in any order") {
  const auto x = counted(128);
  for (const simt::Order order : kOrders) {
    const simt::ScopedOrder scoped(order, 5);
    std::vector<float> y(128);
    launch(reverse, dim3{1}, dim3{128}, 128 * sizeof(float), nullptr, x.data(), y.data());
    for (std::size_t i = 0; i < 128; ++i) REQUIRE(y[i] == 128 - static_cast<float>(i));
  }
}

TEST_CASE("simt: without its barrier a kernel reads NaN, in any order") {
  const auto x = counted(128);
  for (const simt::Order order : kOrders) {
    const simt::ScopedOrder scoped(order, 5);
    std::vector<float> y(128);
    launch(reverse_without_barrier, dim3{1}, dim3{128}, 128 * sizeof(float), nullptr, x.data(), y.data());
    CHECK(std::any_of(y.begin(), y.end(), [](float value) { return std::isnan(value); }));
  }
}

TEST_CASE("simt: shared memory is NaN for each block anew") {
  const auto x = counted(128);
  std::vector<float> y(128);
  launch(reverse, dim3{1}, dim3{128}, 128 * sizeof(float), nullptr, x.data(), y.data());
  launch(reverse_without_barrier, dim3{3}, dim3{128}, 128 * sizeof(float), nullptr, x.data(), y.data());
  CHECK(std::isnan(y[0]));
}

TEST_CASE("simt: shuffles and shared memory sum a block") {
  std::vector<int> x(256);
  std::iota(x.begin(), x.end(), 1);
  for (const simt::Order order : kOrders) {
    const simt::ScopedOrder scoped(order, 3);
    int y = 0;
    launch(block_sum, dim3{1}, dim3{256}, 8 * sizeof(int), nullptr, x.data(), &y);
    CHECK(y == 256 * 257 / 2);
  }
}

TEST_CASE("simt: a lane gets the value of the lane that its shuffle names") {
  std::vector<int> xored(32), broadcast(32);
  launch(exchange_lanes, dim3{1}, dim3{32}, 0, nullptr, xored.data(), broadcast.data());
  for (int lane = 0; lane < 32; ++lane) {
    CHECK(xored[static_cast<std::size_t>(lane)] == (lane ^ 5));
    CHECK(broadcast[static_cast<std::size_t>(lane)] == 49);
  }
}

TEST_CASE("simt: atomics of all blocks add up") {
  float y = 0;
  launch(add_one, dim3{7}, dim3{33}, 0, nullptr, &y);
  CHECK(y == 7 * 33);
}

TEST_CASE("simt: a barrier does not wait for threads that have ended") {
  std::vector<float> y(64);
  launch(leave_before_barrier, dim3{1}, dim3{64}, 0, nullptr, y.data());
  for (std::size_t i = 0; i < 64; ++i) CHECK(y[i] == static_cast<float>(i % 2));
}

TEST_CASE("simt: threads that wait for each other in different places are a deadlock that names both") {
  const std::string message = message_of(barrier_against_shuffle, 32);
  CHECK(mentions(message, "names lanes") == false);
  CHECK(mentions(message,
                 "deadlock in a block of 32 threads: 16 wait in __syncthreads, 16 in __shfl_xor_sync"));
}

TEST_CASE("simt: a collective that misses threads of its mask, or does not name its own, is an error") {
  CHECK(mentions(message_of(shuffle_after_exit, 32), "thread 3 ended while others of its warp wait for it"));
  CHECK(mentions(message_of(shuffle_with_foreign_mask, 32), "is not named by its own mask"));
  CHECK(mentions(message_of(shuffle_of_different_kinds, 32),
                 "while others of its warp wait in __shfl_xor_sync"));
  CHECK(mentions(message_of(shuffle_of_different_kinds, 20), "names lanes that the block does not have"));
}

TEST_CASE("simt: launches out of CUDA's limits are errors that name them") {
  const auto message = [](const simt::Launch& shape) -> std::string {
    try {
      simt::run(shape, [] {});
    } catch (const simt::Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message({{1, 65535, 1}, {1, 1, 1}, 48 * 1024}).empty());
  CHECK(mentions(message({{1, 1, 1}, {1025, 1, 1}, 0}), "block 1025x1x1"));
  CHECK(mentions(message({{0, 1, 1}, {32, 1, 1}, 0}), "grid 0x1x1"));
  CHECK(mentions(message({{1, 65536, 1}, {32, 1, 1}, 0}), "grid 1x65536x1"));
  CHECK(mentions(message({{1, 1, 1}, {32, 1, 1}, 48 * 1024 + 1}), "49153 bytes of shared memory"));
}

TEST_CASE("simt: what a thread throws comes out of the launch, and the next launch is sound") {
  int y = 0;
  CHECK_THROWS_WITH(launch(fail, dim3{2}, dim3{64}, 0, nullptr, &y), "from a thread");
  CHECK(y == 0);
  std::vector<int> x(64, 1);
  launch(block_sum, dim3{1}, dim3{64}, 2 * sizeof(int), nullptr, x.data(), &y);
  CHECK(y == 64);
}

TEST_CASE("simt: a stream decides when its work runs") {
  HeldStream stream;
  float y = 0;
  launch(add_one, dim3{1}, dim3{1}, 0, &stream, &y);
  CHECK(y == 0);
  REQUIRE(stream.held.size() == 1);
  stream.held.front()();
  CHECK(y == 1);
}
