#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fastnn {

/// The names a writer of 'name' may have meant, best first, at most three: those that differ only by a scope
/// in front, then those few edits away. Cost: number of names x length of both names.
std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& known);

}  // namespace fastnn
