#pragma once

#include "kernels/geometry.h"

namespace fastnn::kernels::reference {

/// y[n,k] = sum over c of x[n,c] * w[c,k]. x [N,C], w [C,K], y [N,K]. y is overwritten.
void dense(const Dense& extents, const double* x, const double* w, double* y);

/// dx[n,c] = sum over k of dy[n,k] * w[c,k]. Overwrites dx [N,C].
void dense_input_gradient(const Dense& extents, const double* w, const double* dy, double* dx);

/// dw[c,k] = sum over n of x[n,c] * dy[n,k]. Overwrites dw [C,K].
void dense_weight_gradient(const Dense& extents, const double* x, const double* dy, double* dw);

}  // namespace fastnn::kernels::reference
