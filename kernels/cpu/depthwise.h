#pragma once

#include <cstddef>

#include "kernels/depthwise.h"

namespace fastnn::kernels::cpu {

/// y[n,p,q,c*M+m] = sum over r, s of x[n, p*stride-pad+r*dilation, q*stride-pad+s*dilation, c] * w[r,s,c,m].
/// x [N,H,W,C], w [R,S,C,M] plain, y [N,P,Q,C*M]. y is overwritten. Any kernel, stride, dilation and M: for
/// what oneDNN runs as a grouped convolution with padded groups, up to 256 times the work.
void depthwise_conv2d(const DepthwiseConv2d& conv, const float* x, const float* w, float* y);

/// dx = gradient of x for the gradient dy [N,P,Q,C*M] of y. Overwrites dx [N,H,W,C].
void depthwise_conv2d_input_gradient(const DepthwiseConv2d& conv, const float* w, const float* dy, float* dx);

/// Bytes of the scratch of depthwise_conv2d_weight_gradient().
std::size_t depthwise_conv2d_weight_gradient_scratch_bytes(const DepthwiseConv2d& conv);

/// dw = gradient of w, summed over the batch. Overwrites dw [R,S,C,M], plain.
void depthwise_conv2d_weight_gradient(const DepthwiseConv2d& conv, const float* x, const float* dy, float* dw,
                                      void* scratch);

}  // namespace fastnn::kernels::cpu
