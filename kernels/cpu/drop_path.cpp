#include "kernels/cpu/drop_path.h"

#include "kernels/bfloat16.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/vector.h"

namespace fastnn::kernels::cpu {

template <class A>
void drop_path(const DropPath& path, const A* x, A* y) {
  const std::int64_t count = path.N * path.E;
  const std::int64_t bytes = 2 * count * kElementBytes<A>;
  parallel_ranges(count, bytes, [&](std::int64_t begin, std::int64_t end) {
    while (begin < end) {
      const std::int64_t n = begin / path.E;
      const std::int64_t stop = std::min(end, (n + 1) * path.E);
      const auto scale = static_cast<float>(drop_path_scale(path, n));
      if (scale > 0)
#pragma omp simd
        for (std::int64_t i = begin; i < stop; ++i) store(y[i], float(x[i]) * scale);
      else
        std::fill(y + begin, y + stop, A());
      begin = stop;
    }
  });
}

template void drop_path(const DropPath&, const float*, float*);
template void drop_path(const DropPath&, const Bfloat16*, Bfloat16*);

}  // namespace fastnn::kernels::cpu
