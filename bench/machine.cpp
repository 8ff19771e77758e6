#include "bench/machine.h"

#include <omp.h>

#include <fstream>
#include <sstream>
#include <string_view>

namespace fastnn::bench {
namespace {

/// Value of the first "key : value" line of /proc/cpuinfo; empty if there is none.
std::string cpuinfo(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key))
      if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
  return "";
}

}  // namespace

std::string processor_name() {
  const std::string name = cpuinfo("model name");
  return name.empty() ? "unknown" : name;
}

std::string instruction_sets() {
  constexpr std::string_view kKnown[] = {"avx2", "avx512f", "avx512_bf16", "avx512_fp16", "amx_bf16"};
  std::istringstream flags(cpuinfo("flags"));
  std::string sets;
  for (std::string flag; flags >> flag;)
    for (const std::string_view known : kKnown)
      if (flag == known) sets += (sets.empty() ? "" : " ") + flag;
  return sets;
}

int compute_threads() {
  return omp_get_max_threads();
}

}  // namespace fastnn::bench
