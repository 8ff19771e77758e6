#pragma once

#include <string_view>

namespace fastnn {

/// Where the library sends what it has to say; programs decide where it goes. Implementations are
/// thread-safe. Lines carry no trailing newline.
class Log {
 public:
  virtual ~Log() = default;
  virtual void info(std::string_view line) = 0;
  virtual void warning(std::string_view line) = 0;
};

/// Drops every line.
class NoLog final : public Log {
 public:
  void info(std::string_view) override {}
  void warning(std::string_view) override {}
};

}  // namespace fastnn
