#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/cuda/stream.h"

namespace fastnn::kernels::cuda {

// Kernels of this folder: pointers are to device memory, the work is enqueued on the stream; no allocation.
// A sum has one order, whatever the card. Tensors begin on 16 bytes, else std::invalid_argument is thrown;
// any number of channels works. A, the type of activations, is float, Float16 or Bfloat16; all is computed in
// float, and what is per channel is float. Where CUDA refuses a launch, std::runtime_error is thrown.

/// y[r,c] = x[r,c] + bias[c]. x, y [rows,channels] (NHWC flattened); y may be x.
template <class A>
void bias_add(std::int64_t rows, std::int64_t channels, const A* x, const float* bias, A* y, Stream stream);

/// Bytes of the scratch of bias_gradient() and bias_relu_gradient(); 16-byte aligned.
std::size_t bias_gradient_scratch_bytes(std::int64_t rows, std::int64_t channels);

/// d_bias[c] = sum over the rows of dy[r,c]. Overwrites d_bias [channels].
template <class A>
void bias_gradient(std::int64_t rows, std::int64_t channels, const A* dy, float* d_bias, void* scratch,
                   Stream stream);

/// y[r,c] = max(x[r,c] + bias[c], 0). y may be x.
template <class A>
void bias_relu(std::int64_t rows, std::int64_t channels, const A* x, const float* bias, A* y, Stream stream);

/// In one pass dz = dy where y > 0, else 0, and d_bias[c] = sum over the rows of dz[r,c]. y: result of
/// bias_relu(). dz may be dy.
template <class A>
void bias_relu_gradient(std::int64_t rows, std::int64_t channels, const A* y, const A* dy, A* dz,
                        float* d_bias, void* scratch, Stream stream);

/// y = max(x, 0); a NaN stays one. y may be x.
template <class A>
void relu(std::int64_t count, const A* x, A* y, Stream stream);

/// dx = dy where y > 0, else 0. y: result of relu(). dx may be dy.
template <class A>
void relu_gradient(std::int64_t count, const A* y, const A* dy, A* dx, Stream stream);

/// y = min(max(x, 0), 6); a NaN stays one. y may be x.
template <class A>
void relu6(std::int64_t count, const A* x, A* y, Stream stream);

/// dx = dy where 0 < y < 6, else 0. y: result of relu6(). dx may be dy.
template <class A>
void relu6_gradient(std::int64_t count, const A* y, const A* dy, A* dx, Stream stream);

/// y = a + b. y may be a or b.
template <class A>
void add(std::int64_t count, const A* a, const A* b, A* y, Stream stream);

/// y = factor * x. y may be x.
template <class A>
void scale(std::int64_t count, float factor, const A* x, A* y, Stream stream);

/// y = x + factor * r. y may be x or r.
template <class A>
void scale_add(std::int64_t count, float factor, const A* x, const A* r, A* y, Stream stream);

/// y = max(x + factor * r, 0); a NaN stays one. y may be x or r.
template <class A>
void scale_add_relu(std::int64_t count, float factor, const A* x, const A* r, A* y, Stream stream);

/// Of scale_add_relu(), whose result is y: dx = dy + dy2 where y > 0, else 0, and dr = factor * dx. dy2 may
/// be null: none. dx may be dy or dy2.
template <class A>
void scale_add_relu_gradient(std::int64_t count, float factor, const A* y, const A* dy,
                             const std::type_identity_t<A>* dy2, A* dx, A* dr, Stream stream);

/// y = x in another type; a NaN stays one.
template <class From, class To>
void cast(std::int64_t count, const From* x, To* y, Stream stream);

}  // namespace fastnn::kernels::cuda
