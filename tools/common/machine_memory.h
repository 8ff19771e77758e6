#pragma once

#include <cstddef>
#include <filesystem>

namespace fastnn::tools {

/// Where the system tells of memory; other places are for tests.
struct MemorySources {
  std::filesystem::path proc = "/proc";
  std::filesystem::path cgroup = "/sys/fs/cgroup";
};

/// Bytes of memory that this process may use at most: the machine's, or less where it runs under the limit of
/// a control group (a container, a batch job), version 1 or 2, its own or of a group around it.
std::size_t machine_memory(const MemorySources& sources = {});

/// Bytes that can still be given out: what the system calls available, or less where a control group has less
/// left (its pages of files that nobody uses count as free).
std::size_t available_memory(const MemorySources& sources = {});

}  // namespace fastnn::tools
