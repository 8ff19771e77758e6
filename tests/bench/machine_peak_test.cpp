#include "bench/machine_peak.h"

#include "bench/machine.h"
#include "tests/support/catch.h"

using namespace fastnn::bench;

TEST_CASE("machine peak: the roof is the longer of arithmetic and bytes") {
  const MachinePeak peak{.flops_per_second = 100, .bytes_per_second = 10};
  CHECK(peak.roof_seconds(200, 10) == Approx(2));
  CHECK_FALSE(peak.is_memory_bound(200, 10));
  CHECK(peak.roof_seconds(200, 50) == Approx(5));
  CHECK(peak.is_memory_bound(200, 50));
}

TEST_CASE("machine peak: what is measured is what the measured times say") {
  const MachinePeak peak = measure_peak({.window_seconds = 0.001, .windows = 1, .warm_up_windows = 0});
  CHECK(peak.fma.calls > 0);
  CHECK(peak.triad.calls > 0);
  // Three arrays of 128 MiB.
  CHECK(peak.bytes_per_second * peak.triad.median == Approx(3.0 * (128 << 20)));
  CHECK(peak.flops_per_second > 0);
}

TEST_CASE("machine: processor, instruction sets and threads are known") {
  CHECK_FALSE(processor_name().empty());
  CHECK(instruction_sets().find("avx2") != std::string::npos);
  CHECK(compute_threads() >= 1);
}
