#include "data/datasets/path_map.h"

#include <algorithm>

#include "engine/base/error.h"

namespace fastnn {

PathMap::PathMap(std::span<const std::string> rules) {
  for (const std::string& rule : rules) {
    const auto equals = rule.rfind('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError("[datasets] path_map must be made of BEGINNING=REPLACEMENT, got \"{}\"", rule);
    rules_.emplace_back(rule.substr(0, equals), rule.substr(equals + 1));
  }
  std::ranges::stable_sort(rules_, std::greater(), [](const auto& rule) { return rule.first.size(); });
}

std::string PathMap::mapped(std::string_view path) const {
  for (const auto& [beginning, replacement] : rules_)
    if (path.starts_with(beginning)) return replacement + std::string(path.substr(beginning.size()));
  return std::string(path);
}

std::string PathMap::mapped_list(std::string_view list) const {
  std::string all;
  while (true) {
    const auto comma = std::min(list.find(','), list.size());
    const auto blank = std::min(list.find_first_not_of(" \t"), comma);
    all += mapped(list.substr(blank, comma - blank));
    if (comma == list.size()) return all;
    all += ',';
    list.remove_prefix(comma + 1);
  }
}

}  // namespace fastnn
