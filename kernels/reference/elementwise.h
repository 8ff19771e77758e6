#pragma once

#include <cstdint>

#include "kernels/dropout_mask.h"

namespace fastnn::kernels::reference {

/// y[r,c] = x[r,c] + bias[c]. x, y [rows,channels] (NHWC flattened); y may be x.
void bias_add(std::int64_t rows, std::int64_t channels, const double* x, const double* bias, double* y);

/// d_bias[c] = sum over the rows of dy[r,c]. Overwrites d_bias [channels].
void bias_gradient(std::int64_t rows, std::int64_t channels, const double* dy, double* d_bias);

/// y[r,c] = max(x[r,c] + bias[c], 0). y may be x.
void bias_relu(std::int64_t rows, std::int64_t channels, const double* x, const double* bias, double* y);

/// relu_gradient() followed by bias_gradient(). dz may be dy.
void bias_relu_gradient(std::int64_t rows, std::int64_t channels, const double* y, const double* dy,
                        double* dz, double* d_bias);

/// y = max(x, 0); a NaN stays one. y may be x.
void relu(std::int64_t count, const double* x, double* y);

/// dx = dy where y > 0, else 0 (so 0 where x was exactly 0). y: result of relu(). dx may be dy.
void relu_gradient(std::int64_t count, const double* y, const double* dy, double* dx);

/// y = a + b. y may be a or b.
void add(std::int64_t count, const double* a, const double* b, double* y);

/// y = min(max(x, 0), 6); a NaN stays one. y may be x.
void relu6(std::int64_t count, const double* x, double* y);

/// dx = dy where 0 < y < 6, else 0 (so 0 where x was exactly 0 or 6). y: result of relu6(). dx may be dy.
void relu6_gradient(std::int64_t count, const double* y, const double* dy, double* dx);

/// y = factor * x. y may be x.
void scale(std::int64_t count, double factor, const double* x, double* y);

/// y = x + factor * r. y may be x or r.
void scale_add(std::int64_t count, double factor, const double* x, const double* r, double* y);

/// y = max(x + factor * r, 0); a NaN stays one. y may be x or r.
void scale_add_relu(std::int64_t count, double factor, const double* x, const double* r, double* y);

/// Of scale_add_relu(), whose result is y: dx = dy + dy2 where y > 0, else 0, and dr = factor * dx. dy2 may
/// be null: none. dx may be dy or dy2.
void scale_add_relu_gradient(std::int64_t count, double factor, const double* y, const double* dy,
                             const double* dy2, double* dx, double* dr);

/// y = x / keep_prob where dropout_mask() keeps the element, else 0. x, y [N,E]; y may be x.
/// The gradient is the same function: dropout(options, dy, dx).
void dropout(const Dropout& options, const double* x, double* y);

}  // namespace fastnn::kernels::reference
