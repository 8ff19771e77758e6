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

/// The settings among words of a command line that stand at 'origin' in a file. Throws UsageError.
std::vector<Setting> read_flags(Program program, const std::vector<std::string>& words, const Origin& origin,
                                const ParameterTable& table);

/// The settings of a hyper-parameter file in their order. Throws UsageError, EnvironmentError.
std::vector<Setting> read_settings_file(Program program, const std::filesystem::path& file,
                                        const ParameterTable& table);

/// A line of a hyper-parameter file, taken apart.
struct SettingsLine {
  /// name=value; the name is empty where the line begins with none: empty, a comment, the command-line form.
  std::string name;
  std::string value;
  /// Words of the command-line form, without the quotes: --name=value.
  std::vector<std::string> flags;
};

/// @param where "FILE:LINE" for messages. Throws UsageError.
SettingsLine read_settings_line(std::string_view line, const std::string& where);

/// UsageError for a name that is in no table, with the nearest one that is.
[[noreturn]] void fail_unknown(std::string_view written, const Origin& origin, Program program,
                               const ParameterTable& table);

}  // namespace fastnn::tools
