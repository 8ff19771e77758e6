#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fastnn::optim {

/// The known name with the smallest edit distance to 'name'; the first of several.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

/// "unknown optimizer "adan"; did you mean "adam"? known: sgd, ..." for the message of a UsageError. An empty
/// known name is written "" (empty).
std::string unknown_name(std::string_view flag, std::string_view name,
                         std::span<const std::string_view> known);

}  // namespace fastnn::optim
