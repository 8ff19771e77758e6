#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "tools/common/console_log.h"
#include "tools/common/stop_signal.h"
#include "tools/parameters/parameters.h"

namespace fastnn::tools {

/// Times of steps, told as tf_cnn_benchmarks tells them.
class StepTimes {
 public:
  explicit StepTimes(std::int64_t samples_per_step) : samples_(static_cast<double>(samples_per_step)) {}

  void add(double seconds) { seconds_.push_back(seconds); }

  /// "10\timages/sec: 85.3 +/- 0.4 (jitter = 1.2)\t2.303": the rate of all steps so far, the standard error
  /// of the steps' rates, and 1.4826 times the median of their distances from their median. There must be a
  /// step.
  std::string line(double loss) const;
  /// "total images/sec: 85.31".
  std::string total() const;

 private:
  double rate() const;

  double samples_;
  std::vector<double> seconds_;
};

/// What --benchmark measures: 'warmup' steps that do not count, then 'steps', with a line after the first,
/// the last and each 'display_every'-th.
struct BenchmarkOptions {
  std::int64_t warmup = 10;
  std::int64_t steps = 100;
  std::int64_t display_every = 10;
  std::int64_t samples_per_step = 1;
  /// "training" or "forward", for the log.
  std::string what{};
};

BenchmarkOptions benchmark_options(const Parameters& parameters, std::int64_t steps);

/// Runs and times. @param step runs one and returns its loss. Returns stopped_by_signal where a signal ended
/// it.
ExitCode measure(const BenchmarkOptions& options, const std::function<double()>& step, const StopSignal& stop,
                 Log& log);

/// --benchmark: training steps, or with forward_only the forward passes of an evaluation, with fresh weights
/// and real batches. Writes no file of a run.
ExitCode benchmark(const Parameters& parameters, ConsoleLog& log);

}  // namespace fastnn::tools
