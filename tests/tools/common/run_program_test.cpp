#include "tools/common/run_program.h"

#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/run_command.h"
#include "version.h"

using fastnn::tests::bin_dir;
using fastnn::tests::CommandResult;
using fastnn::tests::run_command;

namespace {

CommandResult probe(const std::string& arguments) {
  return run_command(bin_dir() + "/common_probe " + arguments + " 2>&1");
}

}  // namespace

TEST_CASE("run_program: each error ends with its exit code and the program's name before the message") {
  const CommandResult usage = probe("usage");
  CHECK(usage.exit_code == 2);
  CHECK(usage.output == "common_probe: error: [probe] usage 1\n");
  CHECK(probe("input").exit_code == 3);
  CHECK(probe("environment").exit_code == 4);
}

TEST_CASE("run_program: no memory is an error of the environment that says what helps") {
  const CommandResult memory = probe("memory");
  CHECK(memory.exit_code == 4);
  CHECK(memory.output.find("batch_size") != std::string::npos);
}

TEST_CASE("run_program: any other exception is an internal fault with a request to report it") {
  for (const char* what : {"exception", "number"}) {
    const CommandResult fault = probe(what);
    CHECK(fault.exit_code == 1);
    CHECK(fault.output.find("please report it") != std::string::npos);
  }
  CHECK(probe("exception").output.find("broken") != std::string::npos);
}

TEST_CASE("run_program: a body that returns gives its exit code") {
  CHECK(probe("").exit_code == 0);
  CHECK(probe("print").output == "text\n");
}

TEST_CASE("run_program: a standard output that cannot be written is an error") {
  const CommandResult full = run_command(bin_dir() + "/common_probe print 2>&1 >/dev/full");
  CHECK(full.exit_code == 4);
  CHECK(full.output.find("No space left on device") != std::string::npos);
}

TEST_CASE("run_program: a reader that has had enough of the output is no error") {
  const CommandResult closed =
      run_command("bash -c 'set -o pipefail; " + bin_dir() + "/common_probe late_print 2>&1 | true'");
  CHECK(closed.exit_code == 0);
}

TEST_CASE(
    "run_program: started without a standard output, a program that prints fails, and no file gets its "
    "place") {
  const CommandResult without = run_command(bin_dir() + "/common_probe print 2>&1 >&-");
  CHECK(without.exit_code == 4);
  CHECK(run_command(bin_dir() + "/common_probe first_descriptor 2>&1 >&- <&-").exit_code == 0);
}

TEST_CASE("version_text: names program, version and compiler") {
  const std::string text = fastnn::tools::version_text("fastnn-train");
  CHECK(text.find(std::string("fastnn-train ") + fastnn::kVersion + " (") == 0);
  CHECK((text.find("gcc ") != std::string::npos || text.find("clang ") != std::string::npos));
}
