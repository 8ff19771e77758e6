#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/parameters/parameter_table.h"

namespace fastnn::tools {

/// ASCII letters in lower case; other bytes as they are.
std::string lower_case(std::string_view text);

/// Without blanks (space, tab, CR) at either end.
std::string_view trimmed(std::string_view text);

/// The items between commas, trimmed, without empty ones.
std::vector<std::string> list_items(std::string_view text);

/// true, 1, yes -> true; false, 0, no -> false, in any case; empty for other words.
std::optional<bool> boolean_word(std::string_view text);

/// The whole text as a decimal number; empty if it is none, or out of the type's range, or not finite. A real
/// is also empty where a 32-bit float, in which steps are computed, holds infinity or 0 in its place.
std::optional<std::int64_t> integer_word(std::string_view text);
std::optional<double> real_word(std::string_view text);

/// The form in which a value is kept: "True" or "False", integers without leading zeros, lists joined by
/// commas, home folders of paths expanded, other text as it is. Empty if the text is not a value of this row
/// (type, range, choices).
std::optional<std::string> canonical_value(const ParameterRow& row, std::string_view text);

/// Why canonical_value() refused a text, and what it accepts, for a message: "did you mean adam? expected one
/// of adadelta, ...".
std::string refusal(const ParameterRow& row, std::string_view text);

/// What canonical_value() accepts: "integer, at least 1", "boolean (True or False)", "one of a, b".
std::string expected_value(const ParameterRow& row);

/// Two values of the same row, in canonical form, mean the same.
bool same_value(const ParameterRow& row, std::string_view a, std::string_view b);

}  // namespace fastnn::tools
