#pragma once

#include "kernels/drop_path.h"

namespace fastnn::kernels::cpu {

/// y[n, e] = x[n, e] * drop_path_scale(path, n); y may be x. The gradient is the same function:
/// drop_path(path, dy, dx).
void drop_path(const DropPath& path, const float* x, float* y);

}  // namespace fastnn::kernels::cpu
