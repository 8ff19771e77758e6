#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fastnn::tools {

/// A flag of a subcommand. Those without a default must be given.
struct Flag {
  std::string_view name;
  std::string_view default_value;
  std::string_view help;
};

/// The values of a subcommand's flags, from "--name=value" or "--name value". A home folder at the beginning
/// of a value, or of an item of a list, is expanded (home_path.h).
class Arguments {
 public:
  /// Throws UsageError for an unknown flag (with the nearest known one), a flag given twice or without a
  /// value, an argument that is no flag, and a flag that is missing.
  Arguments(std::span<const Flag> flags, std::span<const std::string> arguments);

  const std::string& text(std::string_view name) const { return values_.find(name)->second; }
  /// Throws UsageError if the value is no integer of 0 or more.
  std::int64_t count(std::string_view name) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace fastnn::tools
