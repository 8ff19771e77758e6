#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace fastnn {

/// Number of insertions, deletions, replacements and swaps of neighbours that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name with the smallest edit distance to 'name', the first of several; empty if there is none
/// from which at most a third of the letters of 'name', or two, differ.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

/// "did you mean lenet? " for the beginning of a message; empty where no known name is near.
std::string suggestion(std::string_view name, std::span<const std::string_view> known);

/// What to tell of a name that is not in a table: "did you mean lenet? There is no net "lenett"; known: ...".
/// An empty known name is shown as "" (empty).
std::string unknown_name(std::string_view what, std::string_view name,
                         std::span<const std::string_view> known);

}  // namespace fastnn
