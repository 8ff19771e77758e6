#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "tests/support/messages.h"
#include "tests/support/run_command.h"
#include "tools/parameters/parameters.h"

namespace fastnn::tests {

using Arguments = std::vector<std::string>;

inline tools::Parameters parse_train(const Arguments& arguments) {
  return tools::parse(tools::Program::train, arguments);
}

/// The message of the UsageError that parsing throws.
inline std::string usage_message(const Arguments& arguments, tools::Program program = tools::Program::train) {
  return message_of<UsageError>([&] { tools::parse(program, arguments); });
}

/// A hyper-parameter file of exactly these bytes, in a folder of its own.
class SettingsFile {
 public:
  explicit SettingsFile(const std::string& bytes) {
    std::ofstream(folder_ / "run.conf", std::ios::binary) << bytes;
  }
  std::string path() const { return folder_ / "run.conf"; }
  /// "PATH:LINE".
  std::string at(int line) const { return path() + ":" + std::to_string(line); }

 private:
  TemporaryFolder folder_;
};

inline tools::Parameters parse_file(const std::string& bytes) {
  return parse_train({SettingsFile(bytes).path()});
}

inline std::string file_message(const std::string& bytes, tools::Program program = tools::Program::train) {
  return usage_message({SettingsFile(bytes).path()}, program);
}

}  // namespace fastnn::tests
