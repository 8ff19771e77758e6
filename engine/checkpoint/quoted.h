#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fastnn {

/// Text between double quotes with C escapes, as protobuf's text format writes strings.
std::string quote(std::string_view text);

/// The text of a quoted string; nothing if it is not one: quotes missing, single in one place and double in
/// the other, or a broken escape.
std::optional<std::string> unquote(std::string_view quoted);

}  // namespace fastnn
