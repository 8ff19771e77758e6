#pragma once

#include <cstddef>

#include "kernels/batch_norm.h"

namespace fastnn::kernels::cpu {

// What each computes stands beside its operands in kernels/batch_norm.h. All results are independent of the
// number of threads. A is float or Bfloat16; all is computed in float. Two passes over memory forward, two
// backward; each reads its operands once, in order.

/// Bytes of the scratch of batch_norm_statistics() and batch_norm_gradient_reduce(); 8-byte aligned.
std::size_t batch_norm_scratch_bytes(std::int64_t rows, std::int64_t channels);

/// The variance is taken from the sums of x - x[0,c] and its square: a mean far from 0 costs no digits.
template <class A>
void batch_norm_statistics(const BatchNormStatistics<float, A>& operands, void* scratch);
template <class A>
void batch_norm_apply(const BatchNormApply<float, A>& operands);
template <class A>
void batch_norm_gradient_reduce(const BatchNormGradientReduce<float, A>& operands, void* scratch);
template <class A>
void batch_norm_gradient_apply(const BatchNormGradientApply<float, A>& operands);
template <class A>
void batch_norm_fixed_gradient(const BatchNormFixedGradient<float, A>& operands);

}  // namespace fastnn::kernels::cpu
