#include "engine/device/host/host_device.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

namespace fastnn::host {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

Buffer allocate(std::size_t bytes) {
  if (bytes == 0) return {};
  const std::size_t mapped = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* data = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED)
    throw EnvironmentError("[memory] cannot get {} bytes ({:.1f} MiB): {}; try a smaller batch_size", bytes,
                           static_cast<double>(bytes) / 1048576.0, std::strerror(errno));
  madvise(data, mapped, MADV_HUGEPAGE);
  std::memset(data, 0, mapped);
  return {data, bytes, [mapped](void* memory, std::size_t) { munmap(memory, mapped); }};
}

}  // namespace fastnn::host
