#include "kernels/simt/executor.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "kernels/simt/block.h"
#include "kernels/simt/simt.h"

constinit thread_local uint3 threadIdx{};
constinit thread_local uint3 blockIdx{};
constinit thread_local dim3 blockDim{};
constinit thread_local dim3 gridDim{};

namespace fastnn::simt {
namespace {

// CUDA's limits; shared memory is that of a block that asks for nothing more.
constexpr std::uint64_t kMaxThreads = 1024;
constexpr std::uint32_t kMaxGridX = 0x7FFFFFFF, kMaxGridYZ = 65535;
constexpr std::size_t kMaxSharedBytes = 48 * 1024;

struct Ordering {
  Order order = Order::forward;
  std::uint64_t seed = 0;
};

Ordering& ordering() {
  static thread_local Ordering current;
  return current;
}

std::string text_of(const Extents& e) {
  return std::to_string(e.x) + "x" + std::to_string(e.y) + "x" + std::to_string(e.z);
}

void check(const Launch& launch) {
  const auto& [grid, block, shared] = launch;
  const bool fits = grid.count() > 0 && grid.x <= kMaxGridX && grid.y <= kMaxGridYZ && grid.z <= kMaxGridYZ &&
                    block.count() > 0 && block.count() <= kMaxThreads && block.z <= 64 &&
                    shared <= kMaxSharedBytes;
  if (!fits)
    throw Error("launch out of CUDA's limits: grid " + text_of(grid) + ", block " + text_of(block) + ", " +
                std::to_string(shared) + " bytes of shared memory");
}

template <class T>
std::vector<T> ordered(T count) {
  std::vector<T> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), T{0});
  if (ordering().order == Order::reverse) std::reverse(order.begin(), order.end());
  if (ordering().order == Order::random)
    std::shuffle(order.begin(), order.end(), std::mt19937_64(ordering().seed));
  return order;
}

/// A launch of this OS thread, as long as it runs.
class Running {
 public:
  explicit Running(Block& block) { Block::current() = &block; }
  ~Running() {
    Block::current()->end_launch();
    Block::current() = nullptr;
  }
};

}  // namespace

ScopedOrder::ScopedOrder(Order order, std::uint64_t seed)
    : order_before_(ordering().order), seed_before_(ordering().seed) {
  ordering() = {order, seed};
}

ScopedOrder::~ScopedOrder() {
  ordering() = {order_before_, seed_before_};
}

void run(const Launch& launch, const std::function<void()>& thread) {
  check(launch);
  static thread_local Block block;
  const Running running(block);
  const auto& [grid, extents, shared] = launch;
  blockDim = {extents.x, extents.y, extents.z};
  gridDim = {grid.x, grid.y, grid.z};
  const std::vector<int> threads = ordered(static_cast<int>(extents.count()));
  for (const std::uint64_t i : ordered(grid.count())) {
    blockIdx = {static_cast<std::uint32_t>(i % grid.x), static_cast<std::uint32_t>(i / grid.x % grid.y),
                static_cast<std::uint32_t>(i / grid.x / grid.y)};
    block.run(launch, thread, threads);
  }
}

void block_barrier() {
  Block::current()->barrier();
}

const std::uint64_t* exchange(std::uint32_t mask, std::uint64_t value, const char* name) {
  return Block::current()->exchange(mask, value, name);
}

void warp_barrier(std::uint32_t mask) {
  Block::current()->warp_barrier(mask);
}

int lane() {
  return Block::current()->lane();
}

void* shared_memory() {
  return Block::current()->shared();
}

}  // namespace fastnn::simt
