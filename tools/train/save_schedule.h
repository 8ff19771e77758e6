#pragma once

#include <cstdint>
#include <optional>

namespace fastnn::tools {

/// After which steps of a run a checkpoint is due: each n-th, and whenever some time has passed since the
/// last.
class SaveSchedule {
 public:
  struct Options {
    std::optional<std::int64_t> steps;
    std::optional<double> seconds;
  };

  /// @param now seconds on a clock that never goes back, here and below.
  SaveSchedule(const Options& options, double now) : options_(options), last_(now) {}

  /// Asked once after each step; a checkpoint that is due is counted as saved now.
  bool is_due(std::int64_t step, double now);

 private:
  Options options_;
  double last_;
};

}  // namespace fastnn::tools
