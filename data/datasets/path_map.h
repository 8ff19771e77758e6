#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fastnn {

/// Replaces the beginnings of paths, so that settings written for another place find local copies.
class PathMap {
 public:
  PathMap() = default;
  /// @param rules "oss://bucket/=/data/": a path that begins with the part before the last '=' begins with
  /// the part after it instead. Throws UsageError for a rule without '=' or without a beginning.
  explicit PathMap(std::span<const std::string> rules);

  /// By the rule with the longest beginning that fits; the path itself if none does.
  std::string mapped(std::string_view path) const;
  /// Each path of a comma-separated list.
  std::string mapped_list(std::string_view list) const;

 private:
  std::vector<std::pair<std::string, std::string>> rules_;
};

}  // namespace fastnn
