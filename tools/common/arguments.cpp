#include "tools/common/arguments.h"

#include <algorithm>
#include <charconv>

#include "engine/base/error.h"
#include "engine/base/names.h"
#include "tools/common/home_path.h"
#include "tools/parameters/parameter_table.h"

namespace fastnn::tools {
namespace {

const Flag& find_flag(std::span<const Flag> flags, std::string_view name) {
  const auto flag = std::ranges::find(flags, name, &Flag::name);
  if (flag != flags.end()) return *flag;
  std::vector<std::string_view> names;
  for (const Flag& known : flags) names.push_back(known.name);
  throw UsageError("{}", unknown_name("flag", name, names));
}

}  // namespace

Arguments::Arguments(std::span<const Flag> flags, std::span<const std::string> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!argument.starts_with("--"))
      throw UsageError("a flag --name=value is expected, got \"{}\"", argument);
    const auto equals = argument.find('=');
    const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    const Flag& flag = find_flag(flags, name);
    if (equals == std::string::npos && i + 1 == arguments.size())
      throw UsageError("--{} needs a value: {}", name, flag.help);
    const std::string value =
        expand_home_in_list(equals == std::string::npos ? arguments[++i] : argument.substr(equals + 1));
    if (value.empty()) throw UsageError("--{} needs a value: {}", name, flag.help);
    if (!values_.emplace(name, value).second) throw UsageError("--{} is given twice", name);
  }
  for (const Flag& flag : flags) {
    if (flag.default_value.empty() && !values_.contains(flag.name))
      throw UsageError("--{} is missing: {}", flag.name, flag.help);
    values_.emplace(flag.name, flag.default_value);
  }
}

std::int64_t Arguments::count(std::string_view name) const {
  const std::string& value = text(name);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < 0)
    throw UsageError("--{} must be an integer of 0 or more, got \"{}\"", name, value);
  return number;
}

}  // namespace fastnn::tools
