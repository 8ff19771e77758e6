#include "bench/protocol.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"

namespace fastnn::bench {
namespace {

using TimedCall = std::function<void(std::span<double> seconds)>;

/// Mean seconds of a call in one window, and of its parts.
struct Window {
  double seconds = 0;
  std::vector<double> parts;
  std::int64_t calls = 0;
};

Window run_window(const TimedCall& call, std::size_t parts, double least_seconds, const Clock& clock) {
  Window window{.seconds = 0, .parts = std::vector<double>(parts), .calls = 0};
  const double begin = clock();
  do {
    call(window.parts);
    ++window.calls;
    window.seconds = clock() - begin;
  } while (window.seconds < least_seconds);
  const auto calls = static_cast<double>(window.calls);
  window.seconds /= calls;
  for (double& part : window.parts) part /= calls;
  return window;
}

void report(const ProtocolOptions& options, int windows_done) {
  if (options.progress) options.progress(windows_done);
}

/// Returns whether the windows came to agree.
bool warm_up(const std::function<Window()>& run, const ProtocolOptions& options) {
  double before = 0;
  for (int i = 0; i < options.warm_up_windows; ++i) {
    const double seconds = run().seconds;
    report(options, 0);
    if (i > 0 && std::abs(seconds - before) <= options.steady_within * before) return true;
    before = seconds;
  }
  return options.warm_up_windows == 0;
}

/// @param seconds of a call in each window.
Measurement summary(std::vector<double> seconds, std::int64_t calls, bool steady) {
  std::ranges::sort(seconds);
  return {.median = seconds[seconds.size() / 2],
          .fastest = seconds.front(),
          .slowest = seconds.back(),
          .calls = calls,
          .steady = steady};
}

}  // namespace

PartsMeasurement measure_parts(const TimedCall& call, std::size_t parts, const ProtocolOptions& options,
                               const Clock& clock) {
  if (options.windows < 1) throw UsageError("[bench] at least one window is needed, got {}", options.windows);
  const auto run = [&] { return run_window(call, parts, options.window_seconds, clock); };
  const bool steady = warm_up(run, options);
  std::vector<double> whole;
  std::vector<std::vector<double>> seconds(parts);
  std::int64_t calls = 0;
  for (int i = 0; i < options.windows; ++i) {
    const Window window = run();
    whole.push_back(window.seconds);
    for (std::size_t part = 0; part < parts; ++part) seconds[part].push_back(window.parts[part]);
    calls += window.calls;
    report(options, i + 1);
  }
  PartsMeasurement result{summary(whole, calls, steady), {}};
  for (const auto& part : seconds) result.parts.push_back(summary(part, calls, steady));
  return result;
}

Measurement measure(const std::function<void()>& call, const ProtocolOptions& options, const Clock& clock) {
  return measure_parts([&](std::span<double>) { call(); }, 0, options, clock).whole;
}

}  // namespace fastnn::bench
