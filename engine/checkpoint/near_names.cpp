#include "engine/checkpoint/near_names.h"

#include <algorithm>
#include <utility>

#include "engine/base/names.h"

namespace fastnn {
namespace {

constexpr std::size_t kMost = 3;

bool is_scoped(std::string_view longer, std::string_view shorter) {
  return longer.size() > shorter.size() && longer.ends_with(shorter) &&
         longer[longer.size() - shorter.size() - 1] == '/';
}

}  // namespace

std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& known) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& candidate : known) {
    const bool same_but_scope = is_scoped(candidate, name) || is_scoped(name, candidate);
    const std::size_t edits = same_but_scope ? 0 : edit_distance(name, candidate);
    if (edits <= std::max<std::size_t>(2, name.size() / 4)) ranked.emplace_back(edits, candidate);
  }
  std::ranges::sort(ranked);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kMost, ranked.size()); ++i) names.push_back(ranked[i].second);
  return names;
}

}  // namespace fastnn
