#pragma once

#include <cstdint>
#include <functional>

namespace fastnn {

/// Calls work(0) .. work(count - 1), each once, on some threads; 0 threads: as many as there are processors.
/// After an exception no further work starts; the first one is thrown when all threads have ended.
void parallel_for(std::int64_t count, int threads, const std::function<void(std::int64_t)>& work);

}  // namespace fastnn
