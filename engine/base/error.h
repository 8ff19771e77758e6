#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace fastnn {

/// Exit codes of every fastnn program.
enum class ExitCode {
  done = 0,
  internal_fault = 1,
  usage = 2,
  bad_input = 3,
  environment = 4,
  lost_rank = 5,
  stopped_by_signal = 6,
  diverged = 7,
};

/// Base of all errors fastnn throws on purpose. The message says, in this order: [where], what was expected,
/// what came, in which file, byte, record, flag or layer, and what to do. Anything else that escapes is an
/// internal fault.
class Error : public std::runtime_error {
 public:
  ExitCode exit_code() const { return exit_code_; }

 protected:
  Error(ExitCode exit_code, const std::string& message)
      : std::runtime_error(message), exit_code_(exit_code) {}

 private:
  ExitCode exit_code_;
};

/// The caller's mistake: a wrong flag, attribute, shape or order of calls.
class UsageError : public Error {
 public:
  template <class... Args>
  explicit UsageError(fmt::format_string<Args...> format, Args&&... args)
      : Error(ExitCode::usage, fmt::format(format, std::forward<Args>(args)...)) {}
};

/// Bad input: a file that is damaged, missing a feature, or not what its name says.
class InputError : public Error {
 public:
  template <class... Args>
  explicit InputError(fmt::format_string<Args...> format, Args&&... args)
      : Error(ExitCode::bad_input, fmt::format(format, std::forward<Args>(args)...)) {}
};

/// The environment failed: disk, memory, device, network.
class EnvironmentError : public Error {
 public:
  template <class... Args>
  explicit EnvironmentError(fmt::format_string<Args...> format, Args&&... args)
      : Error(ExitCode::environment, fmt::format(format, std::forward<Args>(args)...)) {}
};

/// A training run whose numbers are no longer finite: neither its input nor the machine is at fault.
class DivergenceError : public Error {
 public:
  template <class... Args>
  explicit DivergenceError(fmt::format_string<Args...> format, Args&&... args)
      : Error(ExitCode::diverged, fmt::format(format, std::forward<Args>(args)...)) {}
};

}  // namespace fastnn
