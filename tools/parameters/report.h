#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/log.h"
#include "tools/parameters/parameters.h"

namespace fastnn::tools {

/// One line for each value the user set, with its origin; then the defaults, several on a line of at most
/// 'width' columns.
std::vector<std::string> effective_lines(const Parameters& parameters, int width = 100);

/// Sends the warnings of parsing, then effective_lines(), to the log.
void print_effective(const Parameters& parameters, Log& log);

/// The settings as a hyper-parameter file: values set by the user as name=value under a comment with their
/// origin, defaults as comments. parse() of it gives the same values, set by the user or not as before.
/// Parameters that make sense on the command line only (config, help, dry_run ...) are left out.
std::string settings_text(const Parameters& parameters);

/// Writes settings_text() to 'file' through a temporary file beside it, synced and renamed. Throws
/// EnvironmentError.
void save(const Parameters& parameters, const std::filesystem::path& file);

/// A parameter with different values in two settings; texts are ready to print ("(unset)" for none).
struct Difference {
  std::string name;
  std::string a;
  std::string b;
  bool operator==(const Difference&) const = default;
};

/// Parameters whose values differ, in the order of the table; command-line-only ones are not compared. One
/// that is set in only one of the two counts, even with equal values, where being set changes its meaning
/// (ParameterRow::unless_set). Both must come from the same table.
std::vector<Difference> differences(const Parameters& a, const Parameters& b);

}  // namespace fastnn::tools
