#pragma once

#include "kernels/geometry.h"

namespace fastnn::kernels::reference {

/// y[n,p,q,k] = sum over r, s, c of x[n, p*stride-pad+r*dilation, q*stride-pad+s*dilation, c] * w[r,s,c,k].
/// x [N,H,W,C], w [R,S,C,K], y [N,P,Q,K], all dense. Any stride, padding and dilation. y is overwritten.
/// Padding counts as zeros. Like all reference kernels: double precision, each sum in one fixed order
/// whatever the number of threads.
void conv2d(const Conv2d& conv, const double* x, const double* w, double* y);

/// dx = gradient of x for the gradient dy [N,P,Q,K] of y. Overwrites dx [N,H,W,C].
void conv2d_input_gradient(const Conv2d& conv, const double* w, const double* dy, double* dx);

/// dw = gradient of w, summed over the batch. Overwrites dw [R,S,C,K].
void conv2d_weight_gradient(const Conv2d& conv, const double* x, const double* dy, double* dw);

}  // namespace fastnn::kernels::reference
