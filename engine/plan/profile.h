#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/plan/cost.h"

namespace fastnn {

/// What a launch is, for reports.
struct LaunchInfo {
  std::string name;
  std::string kind;
  std::string attributes;
  std::string implementation;
  Cost cost;
};

/// Seconds of each launch of a plan, summed over the runs it was given to.
class Profile {
 public:
  explicit Profile(std::vector<LaunchInfo> launches)
      : launches_(std::move(launches)), seconds_(launches_.size()) {}

  void add(std::size_t launch, double seconds) { seconds_[launch] += seconds; }
  void count_run() { ++runs_; }
  /// Forgets all runs.
  void clear();

  std::int64_t runs() const { return runs_; }
  const std::vector<LaunchInfo>& launches() const { return launches_; }
  /// Mean seconds of one launch in a run.
  double seconds(std::size_t launch) const {
    return runs_ > 0 ? seconds_[launch] / static_cast<double>(runs_) : 0;
  }

  /// Chrome's trace format (chrome://tracing, Perfetto): the launches one after another, each of its mean
  /// length.
  /// @param step shown in the trace's name. Throws EnvironmentError if the file cannot be written.
  void write_chrome_trace(const std::filesystem::path& file, std::int64_t step) const;

 private:
  std::vector<LaunchInfo> launches_;
  std::vector<double> seconds_;
  std::int64_t runs_ = 0;
};

/// Seconds on a clock that never goes back.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace fastnn
