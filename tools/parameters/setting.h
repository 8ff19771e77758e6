#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tools/parameters/parameters.h"

namespace fastnn::tools {

/// One name=value as the user wrote it, not yet looked up (except that --noflag has become flag=False).
struct Setting {
  std::string name;
  std::string value;
  Origin origin;
};

/// What stands on a command line.
struct CommandLine {
  std::vector<Setting> settings;
  std::optional<std::string> file;  ///< the hyper-parameter file
};

/// Takes a command line apart (see parse() in parameters.h). Throws UsageError.
CommandLine read_command_line(Program program, const std::vector<std::string>& arguments,
                              const ParameterTable& table);

/// The settings of a hyper-parameter file in their order. Throws UsageError, EnvironmentError.
std::vector<Setting> read_settings_file(const std::filesystem::path& file);

/// UsageError for a name that is in no table, with the nearest one that is.
[[noreturn]] void fail_unknown(std::string_view written, const Origin& origin, Program program,
                               const ParameterTable& table);

}  // namespace fastnn::tools
