#pragma once

#include <span>

#include "kernels/slice.h"

namespace fastnn::kernels::cpu {

/// y = the slice of x. x [N,H,W,C], y [N,P,Q,K].
template <class A>
void slice(const Slice& slice, const A* x, A* y);

/// dx = dy where the slice reads x, else 0. Overwrites dx [N,H,W,C].
template <class A>
void slice_gradient(const Slice& slice, const A* dy, A* dx);

/// y[row] = the rows of all parts, one behind the other. y [rows, sum of the parts' channels].
template <class A>
void concat(std::int64_t rows, std::span<const ConcatPart<A>> parts, A* y);

}  // namespace fastnn::kernels::cpu
