#pragma once

#include <string>

#include "tools/parameters/parameter_table.h"

namespace fastnn::tools {

struct HelpOptions {
  int width = 100;  ///< columns of a line; 40 is the least
};

/// The text of --help: usage, then each group with its parameters, their type, default, range, aliases, and
/// what they do. Ends in a newline.
std::string help_text(const ParameterTable& table, Program program, const HelpOptions& options = {});

/// docs/parameters.md: the same as a page, for all programs. Ends in a newline.
std::string markdown(const ParameterTable& table);

}  // namespace fastnn::tools
