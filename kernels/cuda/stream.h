#pragma once

/// CUDA's type of a stream, declared so that code without CUDA's headers can pass one on. On the host
/// (kernels/simt/) it is an interface: see kernels/simt/stream.h.
struct CUstream_st;

namespace fastnn::kernels::cuda {

/// The work of a stream runs in the order in which it was given. Null: CUDA's default stream; on the host,
/// where work then runs at once.
using Stream = CUstream_st*;

}  // namespace fastnn::kernels::cuda
