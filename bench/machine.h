#pragma once

#include <string>

namespace fastnn::bench {

/// Model name of the processor, "unknown" where the system does not say.
std::string processor_name();

/// Those of AVX2, AVX-512 and their 16-bit extensions that the processor has: "avx2 avx512f avx512_bf16".
std::string instruction_sets();

/// Threads that a device made before computes with.
int compute_threads();

}  // namespace fastnn::bench
