#pragma once

#include <cstdint>

#include "kernels/dropout_mask.h"

namespace fastnn::kernels::reference {

/// y[r,c] = x[r,c] + bias[c]. x, y [rows,channels] (NHWC flattened); y may be x.
void bias_add(std::int64_t rows, std::int64_t channels, const double* x, const double* bias, double* y);

/// d_bias[c] = sum over the rows of dy[r,c]. Overwrites d_bias [channels].
void bias_gradient(std::int64_t rows, std::int64_t channels, const double* dy, double* d_bias);

/// y = max(x, 0); a NaN stays one. y may be x.
void relu(std::int64_t count, const double* x, double* y);

/// dx = dy where y > 0, else 0 (so 0 where x was exactly 0). y: result of relu(). dx may be dy.
void relu_gradient(std::int64_t count, const double* y, const double* dy, double* dx);

/// y = a + b. y may be a or b.
void add(std::int64_t count, const double* a, const double* b, double* y);

/// y = x / keep_prob where dropout_mask() keeps the element, else 0. x, y [N,E]; y may be x.
/// The gradient is the same function: dropout(options, dy, dx).
void dropout(const Dropout& options, const double* x, double* y);

}  // namespace fastnn::kernels::reference
