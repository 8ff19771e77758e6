#pragma once

#include <cstddef>

namespace fastnn {

/// Bytes to which all device memory of a plan is aligned: a cache line and the widest vector.
inline constexpr std::size_t kMemoryAlignment = 64;

/// The next multiple of kMemoryAlignment.
constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + kMemoryAlignment - 1) / kMemoryAlignment * kMemoryAlignment;
}

}  // namespace fastnn
