#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fastnn::optim {

/// "unknown optimizer "adan"; did you mean "adam"? known: sgd, ..." for the message of a UsageError. An empty
/// known name is written "" (empty).
std::string unknown_name(std::string_view flag, std::string_view name,
                         std::span<const std::string_view> known);

}  // namespace fastnn::optim
