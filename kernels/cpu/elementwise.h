#pragma once

#include <cstddef>
#include <cstdint>

namespace fastnn::kernels::cpu {

// Kernels of this folder: float, OpenMP (small work stays on the calling thread), no allocation. Results do
// not depend on the number of threads. Pointers need only the alignment of their type.

/// y[r,c] = x[r,c] + bias[c]. x, y [rows,channels] (NHWC flattened); y may be x.
void bias_add(std::int64_t rows, std::int64_t channels, const float* x, const float* bias, float* y);

/// Bytes of the scratch of bias_gradient() and bias_relu_gradient().
std::size_t bias_gradient_scratch_bytes(std::int64_t rows, std::int64_t channels);

/// d_bias[c] = sum over the rows of dy[r,c]. Overwrites d_bias [channels].
void bias_gradient(std::int64_t rows, std::int64_t channels, const float* dy, float* d_bias, void* scratch);

/// y = max(x, 0); a NaN stays one. y may be x.
void relu(std::int64_t count, const float* x, float* y);

/// dx = dy where y > 0, else 0. y: result of relu(). dx may be dy.
void relu_gradient(std::int64_t count, const float* y, const float* dy, float* dx);

/// y[r,c] = max(x[r,c] + bias[c], 0). y may be x.
void bias_relu(std::int64_t rows, std::int64_t channels, const float* x, const float* bias, float* y);

/// In one pass dz = dy where y > 0, else 0, and d_bias[c] = sum over the rows of dz[r,c]. y: result of
/// bias_relu(). dz may be dy. Equals relu_gradient() followed by bias_gradient().
void bias_relu_gradient(std::int64_t rows, std::int64_t channels, const float* y, const float* dy, float* dz,
                        float* d_bias, void* scratch);

/// y = a + b. y may be a or b.
void add(std::int64_t count, const float* a, const float* b, float* y);

/// y = min(max(x, 0), 6); a NaN stays one. y may be x.
void relu6(std::int64_t count, const float* x, float* y);

/// dx = dy where 0 < y < 6, else 0. y: result of relu6(). dx may be dy.
void relu6_gradient(std::int64_t count, const float* y, const float* dy, float* dx);

/// y = factor * x. y may be x.
void scale(std::int64_t count, float factor, const float* x, float* y);

/// y = x + factor * r. y may be x or r.
void scale_add(std::int64_t count, float factor, const float* x, const float* r, float* y);

/// y = max(x + factor * r, 0); a NaN stays one. y may be x or r.
void scale_add_relu(std::int64_t count, float factor, const float* x, const float* r, float* y);

/// Of scale_add_relu(), whose result is y: dx = dy + dy2 where y > 0, else 0, and dr = factor * dx. dy2 may
/// be null: none. dx may be dy or dy2.
void scale_add_relu_gradient(std::int64_t count, float factor, const float* y, const float* dy,
                             const float* dy2, float* dx, float* dr);

}  // namespace fastnn::kernels::cpu
