#pragma once

#include <cstdint>

#include "kernels/geometry.h"

namespace fastnn::kernels::cpu {

/// Largest R * S of a max pool: window indices are stored in a byte.
inline constexpr std::int64_t kMaxPoolWindow = 256;

/// y[n,p,q,c] = largest x of the window; padding never wins. x [N,H,W,C], y [N,P,Q,C].
/// index [N,P,Q,C] receives r * S + s of the first maximum in row-major order, for the gradient.
/// R * S is at most kMaxPoolWindow; every window holds at least one pixel of the input.
template <class A>
void max_pool(const Window2d& window, const A* x, A* y, std::uint8_t* index);

/// Each dy [N,P,Q,C] goes whole to the pixel that 'index' names. Overwrites dx [N,H,W,C].
template <class A>
void max_pool_gradient(const Window2d& window, const std::uint8_t* index, const A* dy, A* dx);

}  // namespace fastnn::kernels::cpu
