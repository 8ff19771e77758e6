#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/common/console_log.h"
#include "tools/fastnn_data/arguments.h"

namespace fastnn::tools {

/// A row of the table of subcommands of fastnn-data.
struct Subcommand {
  std::string_view name;
  std::string_view summary;
  std::span<const Flag> flags;
  void (*run)(const Arguments& arguments, ConsoleLog& log);
};

std::span<const Subcommand> subcommands();

/// Throws UsageError for an unknown name, with the nearest known one.
const Subcommand& find_subcommand(std::string_view name);

/// Text of --help: of the program, and of one subcommand.
std::string program_help();
std::string subcommand_help(const Subcommand& subcommand);

}  // namespace fastnn::tools
