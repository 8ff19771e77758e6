#include "bench/protocol.h"

#include <algorithm>

#include "engine/base/error.h"
#include "tests/support/catch.h"

using namespace fastnn;
using namespace fastnn::bench;

namespace {

/// A clock that moves by what each call says it took; the last call repeats.
struct FakeCalls {
  std::vector<double> seconds;
  double now = 0;
  std::size_t calls = 0;

  double call() {
    const double taken = seconds[std::min(calls++, seconds.size() - 1)];
    now += taken;
    return taken;
  }
  Measurement measure(const ProtocolOptions& options) {
    return bench::measure([this] { call(); }, options, [this] { return now; });
  }
};

}  // namespace

TEST_CASE("protocol: windows are warm-up until one agrees with the one before") {
  FakeCalls calls{{8.0, 4.0, 0.5}};
  const Measurement m = calls.measure({.window_seconds = 1, .windows = 5, .warm_up_windows = 10});
  CHECK(m.steady);
  CHECK(m.median == Approx(0.5));
  CHECK(m.spread() == Approx(0));
  CHECK(m.calls == 10);
  // Windows of 8 s, 4 s, and two of two calls.
  CHECK(calls.calls == 2 + 2 * 2 + 10);
}

TEST_CASE("protocol: windows agree within the share that the options say") {
  const std::vector<double> seconds = {1.0, 1.1, 1.1};
  FakeCalls strict{seconds};
  strict.measure({.window_seconds = 1, .windows = 1, .steady_within = 0.05});
  CHECK(strict.calls == 3 + 1);
  FakeCalls lenient{seconds};
  lenient.measure({.window_seconds = 1, .windows = 1, .steady_within = 0.2});
  CHECK(lenient.calls == 2 + 1);
}

TEST_CASE("protocol: a machine that never is steady is measured after the most warm-up windows, and said") {
  FakeCalls calls{{1, 2, 3, 4, 5, 6, 7, 8}};
  const Measurement m = calls.measure({.window_seconds = 1, .windows = 3, .warm_up_windows = 4});
  CHECK_FALSE(m.steady);
  CHECK(m.fastest == Approx(5));
  CHECK(m.calls == 3);
}

TEST_CASE("protocol: the median window is the figure, fastest and slowest are its spread") {
  FakeCalls calls{{2.0, 5.0, 1.0, 4.0, 3.0}};
  const Measurement m = calls.measure({.window_seconds = 1, .windows = 5, .warm_up_windows = 0});
  CHECK(m.median == Approx(3.0));
  CHECK(m.fastest == Approx(1.0));
  CHECK(m.slowest == Approx(5.0));
  CHECK(m.spread() == Approx(4.0 / 3.0));
  CHECK(m.steady);
}

TEST_CASE("protocol: a window is the mean of calls that fill its time") {
  FakeCalls calls{{0.1, 0.3, 0.6}};
  const Measurement m = calls.measure({.window_seconds = 0.9, .windows = 1, .warm_up_windows = 0});
  CHECK(m.calls == 3);
  CHECK(m.median == Approx(1.0 / 3));
}

TEST_CASE("protocol: parts of a call have medians of their own") {
  FakeCalls calls{{1.0, 3.0, 2.0}};
  const auto call = [&](std::span<double> seconds) {
    const double taken = calls.call();
    seconds[0] += taken / 4;
    seconds[1] += taken > 2.5 ? 0.0 : taken / 2;
  };
  const auto [whole, parts] = measure_parts(
      call, 2, {.window_seconds = 1, .windows = 3, .warm_up_windows = 0}, [&] { return calls.now; });
  CHECK(whole.median == Approx(2.0));
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].median == Approx(0.5));
  CHECK(parts[0].slowest == Approx(0.75));
  CHECK(parts[1].median == Approx(0.5));
  CHECK(parts[1].fastest == 0.0);
}

TEST_CASE("protocol: progress is told after each window, 0 during warm-up") {
  FakeCalls calls{{1.0}};
  std::vector<int> told;
  calls.measure({.window_seconds = 1, .windows = 3, .progress = [&](int done) { told.push_back(done); }});
  CHECK(told == std::vector{0, 0, 1, 2, 3});
}

TEST_CASE("protocol: no window is refused") {
  FakeCalls calls{{1.0}};
  CHECK_THROWS_AS(calls.measure({.windows = 0}), UsageError);
}
