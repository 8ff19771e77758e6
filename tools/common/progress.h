#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "tools/common/console_log.h"

namespace fastnn::tools {

struct ProgressOptions {
  std::int64_t total = 0;              ///< steps of the whole run; 0: unknown, no time left is shown
  std::int64_t start = 0;              ///< steps done before this run (resumed)
  std::int64_t samples_per_step = 1;   ///< for the rate
  std::string step_name = "step";      ///< what is counted
  std::string sample_name = "images";  ///< what the rate counts
};

/// Text of a progress line: "step 120/1000 (12 %)  85.3 images/s  4 min 10 s left". The rate is that of the
/// whole time since the start.
std::string progress_text(const ProgressOptions& options, std::int64_t done,
                          std::chrono::duration<double> elapsed);

/// "4 min 10 s", "2 h 5 min", "8 s".
std::string duration_text(std::chrono::duration<double> duration);

/// The progress line of a loop: on a terminal, at most 5 times a second; nothing elsewhere. It is erased when
/// this object dies.
class ProgressLine {
 public:
  ProgressLine(ConsoleLog& log, ProgressOptions options);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Steps done so far, those before 'start' included.
  void update(std::int64_t done);

 private:
  using Clock = std::chrono::steady_clock;
  ConsoleLog& log_;
  ProgressOptions options_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_ = {};
};

}  // namespace fastnn::tools
