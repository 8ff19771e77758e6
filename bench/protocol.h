#pragma once

#include <cstdint>
#include <functional>

#include "engine/plan/profile.h"

namespace fastnn::bench {

/// How everything here is measured: calls until warm, then windows of calls, each giving its mean seconds of
/// a call; the median window is the figure, the others its spread.
struct ProtocolOptions {
  double warm_up_seconds = 1.0;
  double window_seconds = 1.0;
  int windows = 5;
};

struct Measurement {
  /// Seconds of a call: of the median, fastest and slowest window.
  double median = 0;
  double fastest = 0;
  double slowest = 0;
  /// In all windows.
  std::int64_t calls = 0;

  /// (slowest - fastest) / median.
  double spread() const { return (slowest - fastest) / median; }
};

/// Seconds on a clock that never goes back.
using Clock = std::function<double()>;

/// Warm-up takes at least two calls, a window at least one. Throws UsageError unless there is a window.
Measurement measure(const std::function<void()>& call, const ProtocolOptions& options,
                    const Clock& clock = seconds_now);

}  // namespace fastnn::bench
