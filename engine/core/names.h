#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace fastnn {

/// Number of insertions, deletions, replacements and swaps of neighbours that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name with the smallest edit distance to 'name'; the first of several. There must be one.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

}  // namespace fastnn
