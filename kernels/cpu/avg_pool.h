#pragma once

#include "kernels/geometry.h"

namespace fastnn::kernels::cpu {

/// y[n,p,q,c] = mean of the pixels of the window that lie inside x (TensorFlow's SAME: padding does not
/// count). x [N,H,W,C], y [N,P,Q,C]. Every window holds at least one pixel; no dilation.
template <class A>
void avg_pool(const Window2d& window, const A* x, A* y);

/// Each dy [N,P,Q,C] goes in equal parts to the pixels of its window. Overwrites dx [N,H,W,C].
template <class A>
void avg_pool_gradient(const Window2d& window, const A* dy, A* dx);

}  // namespace fastnn::kernels::cpu
