#pragma once

#include "kernels/geometry.h"

namespace fastnn::kernels::reference {

/// y[n,p,q,c] = largest x of the window; padding never wins. x [N,H,W,C], y [N,P,Q,C]. Every window must hold
/// at least one pixel of the input (true for TensorFlow's paddings).
void max_pool(const Window2d& window, const double* x, double* y);

/// Each dy goes whole to the first maximum of its window in row-major order. Overwrites dx [N,H,W,C].
void max_pool_gradient(const Window2d& window, const double* x, const double* dy, double* dx);

}  // namespace fastnn::kernels::reference
