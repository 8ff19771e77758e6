#pragma once

#include <span>

#include "kernels/slice.h"

namespace fastnn::kernels::reference {

/// y = the slice of x. x [N,H,W,C], y [N,P,Q,K].
void slice(const Slice& slice, const double* x, double* y);

/// dx = dy where the slice reads x, else 0. Overwrites dx [N,H,W,C].
void slice_gradient(const Slice& slice, const double* dy, double* dx);

/// y[row] = the rows of all parts, one behind the other. y [rows, sum of the parts' channels].
void concat(std::int64_t rows, std::span<const ConcatPart<double>> parts, double* y);

}  // namespace fastnn::kernels::reference
