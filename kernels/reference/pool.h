#pragma once

#include <cstdint>

#include "kernels/geometry.h"

namespace fastnn::kernels::reference {

/// y[n,p,q,c] = largest x of the window; padding never wins. x [N,H,W,C], y [N,P,Q,C].
/// index [N,P,Q,C] receives r * S + s of the first maximum in row-major order, for the gradient. R * S is at
/// most 256; every window must hold at least one pixel of the input (true for TensorFlow's paddings).
void max_pool(const Window2d& window, const double* x, double* y, std::uint8_t* index);

/// Each dy [N,P,Q,C] goes whole to the pixel that 'index' names. Overwrites dx [N,H,W,C].
void max_pool_gradient(const Window2d& window, const std::uint8_t* index, const double* dy, double* dx);

}  // namespace fastnn::kernels::reference
