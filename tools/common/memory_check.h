#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/plan/plan.h"

namespace fastnn::tools {

/// Bytes a run will take on its device and for its input.
struct MemoryNeed {
  PlanMemory plan;
  std::size_t state = 0;
  std::size_t input = 0;

  std::size_t total() const { return plan.total() + state + input; }
};

/// One line: each part and the sum.
std::string memory_line(const MemoryNeed& need);

/// Throws EnvironmentError naming what is needed, what there is, and the largest batch_size that would fit,
/// if the run needs more than 'available'.
void require_memory(const MemoryNeed& need, std::size_t available, std::int64_t batch_size);

}  // namespace fastnn::tools
