#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/plan/profile.h"

namespace fastnn::bench {

/// How everything here is measured. A window is calls one after another for at least 'window_seconds', one
/// call at least; its figure is the mean seconds of a call. Windows run as warm-up until one differs little
/// from the one before; then those that count run, and the median window is the figure, the others its
/// spread. One protocol for steps of nets, kernels and the machine's peak, so that their shares mean
/// something; a library's own benchmark loop, which chooses iterations and repetitions by rules of its own,
/// and knows no parts of a call, would be a second one.
struct ProtocolOptions {
  double window_seconds = 1.0;
  int windows = 5;
  /// Warm-up ends when a window's mean is within this share of the one before.
  double steady_within = 0.03;
  /// Warm-up ends after so many windows in any case; 0: the caller is warm already.
  int warm_up_windows = 5;
  /// Told after each window how many of those that count are done: 0 during warm-up.
  std::function<void(int windows_done)> progress = {};
};

struct Measurement {
  /// Seconds of a call: of the median, fastest and slowest window.
  double median = 0;
  double fastest = 0;
  double slowest = 0;
  /// In all windows that count.
  std::int64_t calls = 0;
  /// Warm-up ended because the windows agreed, not because there were enough.
  bool steady = true;

  /// (slowest - fastest) / median.
  double spread() const { return median > 0 ? (slowest - fastest) / median : 0; }
};

/// A call as a whole, and the parts of it that it timed itself.
struct PartsMeasurement {
  Measurement whole;
  std::vector<Measurement> parts;
};

/// Seconds on a clock that never goes back.
using Clock = std::function<double()>;

/// Throws UsageError unless there is a window.
Measurement measure(const std::function<void()>& call, const ProtocolOptions& options,
                    const Clock& clock = seconds_now);

/// The same for a call that adds the seconds of each of its 'parts' parts.
PartsMeasurement measure_parts(const std::function<void(std::span<double> seconds)>& call, std::size_t parts,
                               const ProtocolOptions& options, const Clock& clock = seconds_now);

}  // namespace fastnn::bench
