#pragma once

#include <memory>

#include "engine/device/device.h"

namespace fastnn {

/// float32 on this processor, and bfloat16 where it has AVX512-BF16: oneDNN for convolutions and dense
/// layers, our own vectorised kernels for all else. Results depend on the number of threads and the
/// instruction set, on nothing else.
std::unique_ptr<Device> make_cpu_device(int threads);

}  // namespace fastnn
