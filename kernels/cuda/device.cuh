#pragma once

/// The language of device code: CUDA's own under nvcc, else its stand-in on the host. The one place where the
/// two differ. Both give __global__, threadIdx, __syncthreads() and the like, and, in fastnn::kernels::cuda,
/// launch(), shared_memory(), widened() and narrowed().
#ifdef __CUDACC__
#include "kernels/cuda/nvcc.cuh"
#else
#include "kernels/simt/simt.h"
#endif
