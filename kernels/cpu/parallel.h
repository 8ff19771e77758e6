#pragma once

#include <omp.h>

#include <cstdint>

namespace fastnn::kernels::cpu {

/// Work that touches fewer bytes stays on the calling thread: about 20 us at memory speed, below which waking
/// and joining a team (0.5-1 us, more on a busy core) does not pay.
inline constexpr std::int64_t kSerialBytes = 256 * 1024;

/// For counting the bytes that work touches.
template <class A>
inline constexpr std::int64_t kElementBytes = sizeof(A);

/// Calls f(begin, end) with consecutive parts of [0, count), one part per thread of the OpenMP team; a single
/// part if the work touches fewer than kSerialBytes.
template <class F>
void parallel_ranges(std::int64_t count, std::int64_t bytes, F&& f) {
  if (bytes < kSerialBytes || count < 2) {
    if (count > 0) f(std::int64_t{0}, count);
    return;
  }
#pragma omp parallel
  {
    const std::int64_t team = omp_get_num_threads(), member = omp_get_thread_num();
    const std::int64_t begin = count * member / team, end = count * (member + 1) / team;
    if (begin < end) f(begin, end);
  }
}

}  // namespace fastnn::kernels::cpu
