#pragma once

#include "kernels/depthwise.h"

namespace fastnn::kernels::reference {

/// y[n,p,q,c*M+m] = sum over r, s of x[n, p*stride-pad+r*dilation, q*stride-pad+s*dilation, c] * w[r,s,c,m].
/// x [N,H,W,C], w [R,S,C,M], y [N,P,Q,C*M]. y is overwritten.
void depthwise_conv2d(const DepthwiseConv2d& conv, const double* x, const double* w, double* y);

/// dx = gradient of x for the gradient dy [N,P,Q,C*M] of y. Overwrites dx [N,H,W,C].
void depthwise_conv2d_input_gradient(const DepthwiseConv2d& conv, const double* w, const double* dy,
                                     double* dx);

/// dw = gradient of w, summed over the batch. Overwrites dw [R,S,C,M].
void depthwise_conv2d_weight_gradient(const DepthwiseConv2d& conv, const double* x, const double* dy,
                                      double* dw);

}  // namespace fastnn::kernels::reference
