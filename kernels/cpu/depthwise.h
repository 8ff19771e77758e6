#pragma once

#include <cstddef>

#include "kernels/geometry.h"

namespace fastnn::kernels::cpu {

// Depthwise convolution with M = 1, any kernel, stride, padding and dilation: what oneDNN has no depthwise
// code for. A is float or Bfloat16; weights and sums are float.

/// y[n,p,q,c] = sum over r, s of x[n, p*stride-pad+r*dilation, q*stride-pad+s*dilation, c] * w[r,s,c].
/// x [N,H,W,C], w [R,S,C] plain, y [N,P,Q,C]. y is overwritten.
template <class A>
void depthwise_conv2d(const Window2d& window, const A* x, const float* w, A* y);

/// dx = gradient of x for the gradient dy [N,P,Q,C] of y. Overwrites dx [N,H,W,C].
template <class A>
void depthwise_conv2d_input_gradient(const Window2d& window, const float* w, const A* dy, A* dx);

/// Bytes of the scratch of depthwise_conv2d_weight_gradient().
std::size_t depthwise_conv2d_weight_gradient_scratch_bytes(const Window2d& window);

/// dw = gradient of w, summed over the batch. Overwrites dw [R,S,C], plain.
template <class A>
void depthwise_conv2d_weight_gradient(const Window2d& window, const A* x, const A* dy, float* dw,
                                      void* scratch);

}  // namespace fastnn::kernels::cpu
