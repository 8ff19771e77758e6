#include "kernels/cpu/drop_path.h"

#include "kernels/cpu/parallel.h"

namespace fastnn::kernels::cpu {

void drop_path(const DropPath& path, const float* x, float* y) {
  const std::int64_t count = path.N * path.E;
  const std::int64_t bytes = 2 * count * static_cast<std::int64_t>(sizeof(float));
  parallel_ranges(count, bytes, [&](std::int64_t begin, std::int64_t end) {
    while (begin < end) {
      const std::int64_t n = begin / path.E;
      const std::int64_t stop = std::min(end, (n + 1) * path.E);
      const auto scale = static_cast<float>(drop_path_scale(path, n));
      if (scale > 0)
        for (std::int64_t i = begin; i < stop; ++i) y[i] = x[i] * scale;
      else
        std::fill(y + begin, y + stop, 0.0F);
      begin = stop;
    }
  });
}

}  // namespace fastnn::kernels::cpu
