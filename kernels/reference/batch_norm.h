#pragma once

#include "kernels/batch_norm.h"

namespace fastnn::kernels::reference {

// What each computes stands beside its operands in kernels/batch_norm.h.

void batch_norm_statistics(const BatchNormStatistics<double>& operands);
void batch_norm_apply(const BatchNormApply<double>& operands);
void batch_norm_gradient_reduce(const BatchNormGradientReduce<double>& operands);
void batch_norm_gradient_apply(const BatchNormGradientApply<double>& operands);
void batch_norm_fixed_gradient(const BatchNormFixedGradient<double>& operands);

}  // namespace fastnn::kernels::reference
