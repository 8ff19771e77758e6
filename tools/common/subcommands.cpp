#include "tools/common/subcommands.h"

#include <algorithm>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/names.h"
#include "tools/common/run_program.h"

namespace fastnn::tools {
namespace {

void run(const SubcommandProgram& program, std::span<const std::string> arguments, ConsoleLog& log) {
  if (arguments.empty()) throw UsageError("a subcommand is missing\n\n{}", program_help(program));
  if (arguments[0] == "--help") return log.info(program_help(program));
  if (arguments[0] == "--version") return log.info(version_text(program.name));
  const Subcommand& subcommand = find_subcommand(program, arguments[0]);
  const auto rest = arguments.subspan(1);
  if (std::ranges::count(rest, "--help") > 0) return log.info(subcommand_help(program, subcommand));
  subcommand.run(Arguments(subcommand.flags, rest), log);
}

}  // namespace

const Subcommand& find_subcommand(const SubcommandProgram& program, std::string_view name) {
  const auto found = std::ranges::find(program.subcommands, name, &Subcommand::name);
  if (found != program.subcommands.end()) return *found;
  std::vector<std::string_view> names;
  for (const Subcommand& subcommand : program.subcommands) names.push_back(subcommand.name);
  throw UsageError("{}", unknown_name("subcommand", name, names));
}

std::string program_help(const SubcommandProgram& program) {
  std::string text = fmt::format("usage: {} SUBCOMMAND --flag=value ...\n\n", program.name);
  for (const Subcommand& subcommand : program.subcommands)
    text += fmt::format("  {:<10} {}\n", subcommand.name, subcommand.summary);
  return text +
         fmt::format("\n{} SUBCOMMAND --help lists its flags; --version prints the version.", program.name);
}

std::string subcommand_help(const SubcommandProgram& program, const Subcommand& subcommand) {
  std::string text =
      fmt::format("usage: {} {} --flag=value ...\n{}\n", program.name, subcommand.name, subcommand.summary);
  for (const Flag& flag : subcommand.flags)
    text += fmt::format("\n  --{:<20} {}{}", flag.name, flag.help,
                        flag.default_value.empty() ? "" : fmt::format(" (default {})", flag.default_value));
  return text;
}

int run_subcommands(int argc, char** argv, const SubcommandProgram& program) {
  return run_program(argc, argv, [&](const std::vector<std::string>& arguments) {
    ConsoleLog log(stdout);
    run(program, arguments, log);
    return ExitCode::done;
  });
}

}  // namespace fastnn::tools
