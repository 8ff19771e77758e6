#include "kernels/reference/drop_path.h"

namespace fastnn::kernels::reference {

void drop_path(const DropPath& path, const double* x, double* y) {
  for (std::int64_t n = 0; n < path.N; ++n) {
    const double scale = drop_path_scale(path, n);
    for (std::int64_t i = n * path.E; i < (n + 1) * path.E; ++i) y[i] = scale > 0 ? x[i] * scale : 0;
  }
}

}  // namespace fastnn::kernels::reference
