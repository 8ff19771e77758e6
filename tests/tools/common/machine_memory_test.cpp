#include "tools/common/machine_memory.h"

#include <fstream>
#include <limits>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/run_command.h"

using namespace fastnn::tools;
using fastnn::tests::TemporaryFolder;

namespace {

constexpr std::size_t kMiB = 1 << 20;

/// A made-up /proc and /sys/fs/cgroup of a machine of 1024 MiB, 512 of them available.
class Machine {
 public:
  Machine() {
    write("proc/meminfo", "MemTotal:  1048576 kB\nMemFree: 7 kB\nMemAvailable:  524288 kB\nBuffers: 1 kB\n");
  }

  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
  }
  /// A group of version 2, with all limits and usages in MiB.
  void group(const std::string& path, const std::string& limit, std::size_t usage, std::size_t unused) const {
    write("cgroup" + path + "/memory.max", limit + "\n");
    write("cgroup" + path + "/memory.current", std::to_string(usage * kMiB) + "\n");
    write("cgroup" + path + "/memory.stat",
          "anon 5\nfile 9\ninactive_file " + std::to_string(unused * kMiB) + "\nslab 3\n");
  }
  MemorySources sources() const { return {.proc = folder_ / "proc", .cgroup = folder_ / "cgroup"}; }
  std::size_t total() const { return machine_memory(sources()) / kMiB; }
  std::size_t available() const { return available_memory(sources()) / kMiB; }

 private:
  TemporaryFolder folder_;
};

std::string bytes(std::size_t mebibytes) {
  return std::to_string(mebibytes * kMiB);
}

}  // namespace

TEST_CASE("machine_memory: without a control group it is the machine's") {
  const Machine machine;
  CHECK(machine.total() == 1024);
  CHECK(machine.available() == 512);
}

TEST_CASE("machine_memory: the limit of a group of version 2 holds, less what it uses") {
  const Machine machine;
  machine.write("proc/self/cgroup", "0::/job\n");
  machine.group("/job", bytes(300), 120, 20);
  CHECK(machine.total() == 300);
  CHECK(machine.available() == 200);
}

TEST_CASE("machine_memory: a group around the process's own may be the narrower one") {
  const Machine machine;
  machine.write("proc/self/cgroup", "0::/outer/inner\n");
  machine.group("/outer", bytes(200), 50, 0);
  machine.group("/outer/inner", bytes(400), 10, 0);
  CHECK(machine.total() == 200);
  CHECK(machine.available() == 150);
}

TEST_CASE("machine_memory: no limit, and one beyond the machine, are none") {
  const Machine machine;
  machine.write("proc/self/cgroup", "0::/job\n");
  machine.group("/job", "max", 120, 0);
  CHECK(machine.total() == 1024);
  CHECK(machine.available() == 512);
  machine.group("/job", bytes(4096), 100, 0);
  CHECK(machine.total() == 1024);
  CHECK(machine.available() == 512);
}

TEST_CASE("machine_memory: a container that sees its group as the root, whatever path the host gave it") {
  const Machine machine;
  machine.write("proc/self/cgroup", "0::/docker/0123\n");
  machine.group("", bytes(256), 0, 0);
  CHECK(machine.total() == 256);
  CHECK(machine.available() == 256);
}

TEST_CASE("machine_memory: a group of version 1") {
  const Machine machine;
  machine.write("proc/self/cgroup", "12:cpu,cpuacct:/job\n9:hugetlb,memory:/job\n");
  machine.write("cgroup/memory/job/memory.limit_in_bytes", bytes(100) + "\n");
  machine.write("cgroup/memory/job/memory.usage_in_bytes", bytes(90) + "\n");
  machine.write("cgroup/memory/job/memory.stat", "inactive_file 0\ntotal_inactive_file " + bytes(30) + "\n");
  machine.write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK(machine.total() == 100);
  CHECK(machine.available() == 40);
}

TEST_CASE("machine_memory: a group that uses more than its limit has nothing left") {
  const Machine machine;
  machine.write("proc/self/cgroup", "0::/job\n");
  machine.group("/job", bytes(100), 130, 10);
  CHECK(machine.available() == 0);
}

TEST_CASE("machine_memory: a system that tells nothing limits nothing") {
  const TemporaryFolder empty;
  const MemorySources nothing{.proc = empty / "proc", .cgroup = empty / "cgroup"};
  CHECK(available_memory(nothing) == std::numeric_limits<std::size_t>::max());
}

TEST_CASE("machine_memory: this machine has some") {
  CHECK(available_memory() > kMiB);
  CHECK(available_memory() <= machine_memory());
}
