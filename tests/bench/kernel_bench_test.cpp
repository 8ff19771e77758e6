#include "bench/kernel_bench.h"

#include <algorithm>

#include "bench/machine_peak.h"
#include "engine/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/messages.h"

using namespace fastnn;
using namespace fastnn::bench;

TEST_CASE("kernel bench: all real layers of the case table are measured, and no others") {
  const auto cases = kernel_cases("");
  CHECK(std::ssize(cases) ==
        std::ranges::count(tests::operation_cases(), true, &tests::OperationCase::real_layer));
  for (const auto* row : kernel_cases("dense")) CHECK(tests::contains(row->name, "dense"));
}

TEST_CASE("kernel bench: a filter that fits nothing is refused") {
  const std::string message = tests::message_of<UsageError>([] { kernel_cases("convolve3d"); });
  CHECK(tests::contains(message, "\"convolve3d\""));
}

TEST_CASE("kernel bench: forward and gradient are counted apart, by the operands of their launches") {
  const auto device = make_device("cpu", 1);
  const auto cases = kernel_cases("dense 64x1024x10");
  REQUIRE(cases.size() == 1);
  const KernelResult result =
      bench_kernel(*cases[0], *device, {.window_seconds = 0, .windows = 1, .warm_up_windows = 0});
  const double product = 2.0 * 64 * 1024 * 10;
  const double bytes = 4.0 * (64 * 1024 + 1024 * 10 + 64 * 10);
  CHECK(result.forward.launches == 1);
  CHECK(result.forward.flops == product);
  CHECK(result.forward.bytes == bytes);
  CHECK(result.gradient.launches == 2);
  CHECK(result.gradient.flops == 2 * product);
  CHECK(result.gradient.bytes == 2 * bytes);
  CHECK(result.forward.time.median > 0);
  CHECK(result.gradient.time.median > 0);
  CHECK(result.forward.implementations.size() == 1);
}
