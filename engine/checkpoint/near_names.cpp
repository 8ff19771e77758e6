#include "engine/checkpoint/near_names.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace fastnn {
namespace {

constexpr std::size_t kMost = 3;

std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

bool is_scoped(std::string_view longer, std::string_view shorter) {
  return longer.size() > shorter.size() && longer.ends_with(shorter) &&
         longer[longer.size() - shorter.size() - 1] == '/';
}

}  // namespace

std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& known) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& candidate : known) {
    const bool same_but_scope = is_scoped(candidate, name) || is_scoped(name, candidate);
    const std::size_t edits = same_but_scope ? 0 : edits_between(name, candidate);
    if (edits <= std::max<std::size_t>(2, name.size() / 4)) ranked.emplace_back(edits, candidate);
  }
  std::ranges::sort(ranked);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kMost, ranked.size()); ++i) names.push_back(ranked[i].second);
  return names;
}

}  // namespace fastnn
