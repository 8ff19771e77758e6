#include "bench/protocol.h"

#include "engine/core/error.h"
#include "tests/support/catch.h"

using namespace fastnn;
using namespace fastnn::bench;

namespace {

/// A clock that moves by what each call says it took.
struct FakeCalls {
  std::vector<double> seconds;
  double now = 0;
  std::size_t calls = 0;

  void call() { now += seconds[std::min(calls++, seconds.size() - 1)]; }
  Measurement measure(const ProtocolOptions& options) {
    return bench::measure([this] { call(); }, options, [this] { return now; });
  }
};

}  // namespace

TEST_CASE("protocol: slow first calls are warm-up and count nowhere") {
  FakeCalls calls{{8.0, 4.0, 0.5}};
  const Measurement m = calls.measure({.warm_up_seconds = 10, .window_seconds = 1, .windows = 5});
  CHECK(m.median == Approx(0.5));
  CHECK(m.calls == 10);
  CHECK(m.spread() == Approx(0));
}

TEST_CASE("protocol: the median window is the figure, fastest and slowest are its spread") {
  FakeCalls calls{{1, 1, 2.0, 5.0, 1.0, 4.0, 3.0}};
  const Measurement m = calls.measure({.warm_up_seconds = 0, .window_seconds = 1, .windows = 5});
  CHECK(m.median == Approx(3.0));
  CHECK(m.fastest == Approx(1.0));
  CHECK(m.slowest == Approx(5.0));
  CHECK(m.spread() == Approx(4.0 / 3.0));
}

TEST_CASE("protocol: no window is refused") {
  FakeCalls calls{{1.0}};
  CHECK_THROWS_AS(calls.measure({.windows = 0}), UsageError);
}
