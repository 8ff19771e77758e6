#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/common/arguments.h"
#include "tools/common/console_log.h"

namespace fastnn::tools {

/// A row of a program's table of subcommands.
struct Subcommand {
  std::string_view name;
  std::string_view summary;
  std::span<const Flag> flags;
  void (*run)(const Arguments& arguments, ConsoleLog& log);
};

/// A program that consists of subcommands, "fastnn-data synth --seed=1".
struct SubcommandProgram {
  std::string_view name;
  std::span<const Subcommand> subcommands;
};

/// Throws UsageError for an unknown name, with the nearest known one.
const Subcommand& find_subcommand(const SubcommandProgram& program, std::string_view name);

/// Text of --help: of the program, and of one subcommand.
std::string program_help(const SubcommandProgram& program);
std::string subcommand_help(const SubcommandProgram& program, const Subcommand& subcommand);

/// The whole of a main(), as run_program(): runs the subcommand named, or answers --help and --version.
int run_subcommands(int argc, char** argv, const SubcommandProgram& program);

}  // namespace fastnn::tools
