#pragma once

#include <functional>

#include "kernels/cuda/stream.h"

/// A stream of the host: whoever makes one decides when its work runs.
struct CUstream_st {
  virtual ~CUstream_st() = default;
  virtual void submit(std::function<void()> work) = 0;
};
