#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>

namespace fastnn::simt {

/// A kernel that does what CUDA does not allow: a launch out of bounds, a barrier that not all threads reach,
/// threads of a warp that call different things.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Extents {
  std::uint32_t x = 1, y = 1, z = 1;

  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

struct Launch {
  Extents grid, block;
  /// Of each block: memory of its own, filled with NaN; out of bounds for AddressSanitizer right behind it.
  std::size_t shared_bytes = 0;
};

/// In which order blocks run, and the threads of a block wherever nothing orders them. A right kernel gives
/// the same result in any.
enum class Order { forward, reverse, random };

/// The order of the launches of this OS thread for as long as the object lives. Otherwise forward.
class ScopedOrder {
 public:
  explicit ScopedOrder(Order order, std::uint64_t seed = 0);
  ~ScopedOrder();
  ScopedOrder(const ScopedOrder&) = delete;
  ScopedOrder& operator=(const ScopedOrder&) = delete;

 private:
  Order order_before_;
  std::uint64_t seed_before_;
};

/// Runs 'thread' once for every thread of the launch, on the calling OS thread, one block after the other,
/// with simt.h's threadIdx, blockIdx, blockDim and gridDim set. Threads are fibers: each runs until it waits
/// for others. Throws Error; the launch is then given up in the middle. What 'thread' throws comes out too.
void run(const Launch& launch, const std::function<void()>& thread);

// Called from within a running thread by what simt.h offers.

/// __syncthreads().
void block_barrier();

/// Waits until every thread of the warp that 'mask' names has called it with the same mask and name. Returns
/// the 32 values that they gave, by lane; good until the calling thread's next call.
const std::uint64_t* exchange(std::uint32_t mask, std::uint64_t value, const char* name);

/// As exchange(), and what a thread wrote before is seen by the others after it.
void warp_barrier(std::uint32_t mask);

/// The lane of the calling thread in its warp.
int lane();

/// The block's shared memory.
void* shared_memory();

}  // namespace fastnn::simt
