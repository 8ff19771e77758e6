#include "bench/protocol.h"

#include <algorithm>
#include <vector>

#include "engine/core/error.h"

namespace fastnn::bench {
namespace {

struct Window {
  double seconds = 0;
  std::int64_t calls = 0;
};

Window run(const std::function<void()>& call, double seconds, std::int64_t least, const Clock& clock) {
  const double begin = clock();
  Window window;
  do {
    call();
    ++window.calls;
    window.seconds = clock() - begin;
  } while (window.seconds < seconds || window.calls < least);
  return window;
}

}  // namespace

Measurement measure(const std::function<void()>& call, const ProtocolOptions& options, const Clock& clock) {
  if (options.windows < 1) throw UsageError("[bench] at least one window is needed, got {}", options.windows);
  run(call, options.warm_up_seconds, 2, clock);
  Measurement measurement;
  std::vector<double> seconds;
  for (int i = 0; i < options.windows; ++i) {
    const Window window = run(call, options.window_seconds, 1, clock);
    seconds.push_back(window.seconds / static_cast<double>(window.calls));
    measurement.calls += window.calls;
  }
  std::ranges::sort(seconds);
  measurement.median = seconds[seconds.size() / 2];
  measurement.fastest = seconds.front();
  measurement.slowest = seconds.back();
  return measurement;
}

}  // namespace fastnn::bench
