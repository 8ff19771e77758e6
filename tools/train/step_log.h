#pragma once

#include <cstdint>
#include <string>

#include "engine/base/log.h"

namespace fastnn::tools {

/// What one step reports.
struct StepFigures {
  std::int64_t step = 0;
  double cross_entropy = 0;
  double l2_loss = 0;
  double accuracy = 0;
  double learning_rate = 0;
  double gradient_norm = 0;
  /// Samples since the last line, the seconds they took, and those spent waiting for data.
  std::int64_t samples = 0;
  double seconds = 0;
  double wait_seconds = 0;
  /// Seconds to the end of the run at the rate of this line.
  double seconds_left = 0;
};

/// FastNN's log line: "step 120: loss = 0.5312 (cross_entropy 0.4861 + l2 0.0451), accuracy = 0.9062,
/// learning_rate = 0.001, gradient_norm = 1.7, 1234.5 samples/s, 0.3 % waiting for data, 12 s left".
std::string log_line(const StepFigures& figures);

/// Decides when a line is due: the first step, each n-th, the last; sums up what happened between two lines.
class StepLog {
 public:
  StepLog(Log& log, std::int64_t every, std::int64_t first_step, std::int64_t last_step);

  /// Whether a line is due after this step: reading its figures may cost time.
  bool is_due(std::int64_t step) const;
  /// Counts the samples of a step that was just done.
  void count(std::int64_t samples) { samples_ += samples; }
  /// Writes a line; its rate and times follow from what was counted. @param wait_seconds_total of the
  /// pipeline.
  void write(StepFigures figures, double wait_seconds_total);

 private:
  Log& log_;
  std::int64_t every_;
  std::int64_t first_step_;
  std::int64_t last_step_;
  std::int64_t samples_ = 0;
  std::int64_t line_step_;
  double line_time_;
  double line_wait_ = 0;
};

}  // namespace fastnn::tools
