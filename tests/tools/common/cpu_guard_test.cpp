#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/run_command.h"
#include "tests/support/sanitizer.h"

using fastnn::tests::bin_dir;
using fastnn::tests::CommandResult;
using fastnn::tests::run_command;
using fastnn::tests::sanitized;

namespace {

CommandResult emulate(const std::string& processor) {
  return run_command("qemu-x86_64 -cpu " + processor + " " + bin_dir() + "/common_probe print 2>&1");
}

/// Why the emulator cannot be used; empty if it can.
std::string no_emulator() {
  if (sanitized()) return "sanitized programs do not run under qemu-x86_64";
  return run_command("qemu-x86_64 --version 2>/dev/null").exit_code == 0 ? ""
                                                                         : "qemu-x86_64 is not installed";
}

}  // namespace

TEST_CASE("cpu_guard: on a processor without AVX2 a program says what is missing instead of crashing") {
  if (const std::string why = no_emulator(); !why.empty()) {
    WARN("skipped: " << why);
    return;
  }
  const CommandResult old = emulate("Nehalem");
  CHECK(old.exit_code == 4);
  CHECK(old.output.find("fastnn needs an x86-64-v3 processor (AVX2, FMA, BMI2); this one lacks") !=
        std::string::npos);
  CHECK(old.output.find(" AVX2") != std::string::npos);
  CHECK(old.output.find(" BMI2") != std::string::npos);
  CHECK(old.output.find(" SSE4.2") == std::string::npos);
  CHECK(old.output.find("text") == std::string::npos);
}

TEST_CASE("cpu_guard: on a processor of x86-64-v3 the program runs") {
  if (const std::string why = no_emulator(); !why.empty()) {
    WARN("skipped: " << why);
    return;
  }
  const CommandResult enough = emulate("max");
  CHECK(enough.exit_code == 0);
  CHECK(enough.output.find("text\n") != std::string::npos);
}

TEST_CASE("cpu_guard: this machine passes it") {
  CHECK(run_command(bin_dir() + "/common_probe print").exit_code == 0);
}
