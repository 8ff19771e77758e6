#include <fmt/format.h>

#include <string>

#include "tests/kernels/simt/planted.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/run_command.h"

using namespace fastnn::tests;

namespace {

std::string run_probe(std::string_view sanitizer, std::string_view kernel) {
  const std::string command = fmt::format("{}/simt_probe_{} '{}' 2>&1", bin_dir(), sanitizer, kernel);
  const std::string output = run_command(command).output;
  // ThreadSanitizer cannot start where addresses are spread too wide.
  if (output.find("unexpected memory mapping") == std::string::npos) return output;
  return run_command("setarch -R " + command).output;
}

void check(std::string_view sanitizer, const Planted& planted, std::string_view finding) {
  const std::string output = run_probe(sanitizer, planted.name);
  INFO(planted.name << ": " << output);
  if (finding.empty())
    CHECK(output == "no fault\n");
  else
    CHECK(output.find(finding) != std::string::npos);
}

}  // namespace

TEST_CASE("simt: AddressSanitizer finds every planted access out of bounds, and nothing in right kernels") {
  for (const Planted& planted : planted_kernels()) check("address", planted, planted.address);
}

TEST_CASE("simt: ThreadSanitizer finds every planted race, and nothing in right kernels") {
  for (const Planted& planted : planted_kernels())
    if (planted.address.empty()) check("thread", planted, planted.thread);
}
