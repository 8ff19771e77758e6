#pragma once

#include "kernels/lrn.h"

namespace fastnn::kernels::cpu {

/// y = x * scale^-beta. x, y [rows,channels]; y is not x. Fast where beta is 0.5, 0.75 or 1. depth_radius is
/// at most Lrn::kMaxRadius.
template <class A>
void lrn(const Lrn& lrn, const A* x, A* y);

/// dx[c] = dy[c] * scale[c]^-beta
///         - 2 alpha beta x[c] * (sum over the channels j around c of dy[j] * x[j] * scale[j]^(-beta-1)).
/// Overwrites dx [rows,channels], which is neither x nor dy.
template <class A>
void lrn_gradient(const Lrn& lrn, const A* x, const A* dy, A* dx);

}  // namespace fastnn::kernels::cpu
