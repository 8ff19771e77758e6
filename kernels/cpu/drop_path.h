#pragma once

#include "kernels/drop_path.h"

namespace fastnn::kernels::cpu {

/// y[n, e] = x[n, e] * drop_path_scale(path, n); y may be x. The gradient is the same function:
/// drop_path(path, dy, dx).
template <class A>
void drop_path(const DropPath& path, const A* x, A* y);

}  // namespace fastnn::kernels::cpu
