#include <algorithm>

#include "tools/common/run_program.h"
#include "tools/fastnn_data/subcommands.h"

using namespace fastnn;
using namespace fastnn::tools;

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const std::vector<std::string>& arguments) {
    ConsoleLog log(stdout);
    if (arguments.empty()) throw UsageError("a subcommand is missing\n\n{}", program_help());
    const std::span rest = std::span(arguments).subspan(1);
    if (arguments[0] == "--help") {
      log.info(program_help());
    } else if (arguments[0] == "--version") {
      log.info(version_text("fastnn-data"));
    } else if (const Subcommand& subcommand = find_subcommand(arguments[0]);
               std::ranges::count(rest, "--help") > 0) {
      log.info(subcommand_help(subcommand));
    } else {
      subcommand.run(Arguments(subcommand.flags, rest), log);
    }
    return ExitCode::done;
  });
}
