#include "tools/common/memory_check.h"

#include <string>

namespace fastnn::tools {
namespace {

double mebibytes(std::size_t bytes) {
  return static_cast<double>(bytes) / 1048576.0;
}

}  // namespace

std::string memory_line(const MemoryNeed& need) {
  return fmt::format(
      "memory: {:.1f} MiB = activations and gradients {:.1f} (unshared {:.1f}) + scratch {:.1f} + prepared weights {:.1f} + weights, gradients, slots {:.1f} + input batches {:.1f}",
      mebibytes(need.total()), mebibytes(need.plan.arena), mebibytes(need.plan.arena_without_reuse),
      mebibytes(need.plan.scratch), mebibytes(need.plan.prepared), mebibytes(need.state),
      mebibytes(need.input));
}

void require_memory(const MemoryNeed& need, std::size_t available, std::int64_t batch_size) {
  if (need.total() <= available) return;
  const std::size_t fixed = need.state + need.plan.prepared;
  const std::size_t per_sample = (need.total() - fixed) / static_cast<std::size_t>(batch_size);
  const std::size_t fits = available > fixed ? (available - fixed) / per_sample : 0;
  throw EnvironmentError("[memory] batch_size {} needs {:.1f} MiB, this machine has {:.1f} MiB left; {}",
                         batch_size, mebibytes(need.total()), mebibytes(available),
                         fits > 0 ? fmt::format("about batch_size={} would fit", fits)
                                  : "not even one sample fits: take a smaller net");
}

}  // namespace fastnn::tools
