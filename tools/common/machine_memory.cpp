#include "tools/common/machine_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace fastnn::tools {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

/// The number behind 'key' in a file of lines "key number ...".
std::optional<std::size_t> number_of(const fs::path& file, std::string_view key) {
  std::ifstream stream(file);
  for (std::string word; stream >> word;) {
    std::size_t number = 0;
    if (word == key && stream >> number) return number;
    stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

/// The number a file consists of; nothing for "max" and for a file that is not there.
std::optional<std::size_t> number_in(const fs::path& file) {
  std::ifstream stream(file);
  std::size_t number = 0;
  return stream >> number ? std::optional(number) : std::nullopt;
}

std::size_t kibibytes_of(const fs::path& proc, std::string_view key) {
  const auto number = number_of(proc / "meminfo", key);
  return number ? *number * 1024 : kUnlimited;
}

/// Names of a control group's files in one version.
struct GroupFiles {
  const char* limit;
  const char* usage;
  const char* unused_file_pages;
};
constexpr GroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", "inactive_file"};

/// What the limits of the groups around this process allow.
struct Allowance {
  std::size_t limit = kUnlimited;
  std::size_t left = kUnlimited;

  void add(const fs::path& folder, const GroupFiles& files) {
    const auto group_limit = number_in(folder / files.limit);
    if (!group_limit) return;
    limit = std::min(limit, *group_limit);
    const std::size_t usage = number_in(folder / files.usage).value_or(0);
    const std::size_t unused = number_of(folder / "memory.stat", files.unused_file_pages).value_or(0);
    const std::size_t used = usage - std::min(usage, unused);
    left = std::min(left, *group_limit - std::min(*group_limit, used));
  }

  /// A group and those around it. Inside a container the path may be that of the host: what is not there is
  /// passed over, and the root of what is mounted is the container's own group.
  void add_with_parents(const fs::path& root, fs::path path, const GroupFiles& files) {
    for (path = path.relative_path(); !path.empty(); path = path.parent_path()) add(root / path, files);
    add(root, files);
  }
};

bool names_memory(std::string_view controllers) {
  while (!controllers.empty()) {
    const std::size_t comma = std::min(controllers.find(','), controllers.size());
    if (controllers.substr(0, comma) == "memory") return true;
    controllers.remove_prefix(std::min(comma + 1, controllers.size()));
  }
  return false;
}

/// Lines "hierarchy:controllers:path" of /proc/self/cgroup; version 2 has no controllers.
Allowance allowance_of(const MemorySources& sources) {
  Allowance allowance;
  std::ifstream stream(sources.proc / "self/cgroup");
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1),
                      path = line.substr(second + 1);
    if (controllers.empty()) allowance.add_with_parents(sources.cgroup, path, kVersion2);
    if (names_memory(controllers)) allowance.add_with_parents(sources.cgroup / "memory", path, kVersion1);
  }
  return allowance;
}

}  // namespace

std::size_t machine_memory(const MemorySources& sources) {
  return std::min(kibibytes_of(sources.proc, "MemTotal:"), allowance_of(sources).limit);
}

std::size_t available_memory(const MemorySources& sources) {
  return std::min(kibibytes_of(sources.proc, "MemAvailable:"), allowance_of(sources).left);
}

}  // namespace fastnn::tools
