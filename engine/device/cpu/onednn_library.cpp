#include <fmt/format.h>

#include <dnnl.hpp>

#include "engine/device/cpu/onednn.h"

namespace fastnn::cpu {

std::string OneDnn::version() {
  const dnnl_version_t* version = dnnl_version();
  return fmt::format("{}.{}.{}", version->major, version->minor, version->patch);
}

bool OneDnn::multiplies_bf16() {
  constexpr auto kNeeded = static_cast<unsigned>(dnnl::cpu_isa::avx512_core_bf16);
  return (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & kNeeded) == kNeeded;
}

}  // namespace fastnn::cpu
