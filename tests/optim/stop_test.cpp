#include "optim/stop.h"

#include "engine/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/messages.h"

using namespace fastnn;
using namespace fastnn::optim;
using fastnn::tests::contains;

namespace {

std::string message_of(const StopOptions& options) {
  return tests::message_of<UsageError>([&] { stop_of(options); });
}

}  // namespace

TEST_CASE("stop: 3 epochs of 100 samples in batches of 10 are 30 steps") {
  const Stop stop = stop_of({.num_epochs = 3, .samples_per_epoch = 100, .samples_per_step = 10});
  CHECK(stop.step == 30);
  CHECK(contains(stop.reason, "num_epochs"));
}

TEST_CASE("stop: without flags 100 steps, which the reason says is the default") {
  const Stop stop = stop_of({.samples_per_epoch = 100, .samples_per_step = 10});
  CHECK(stop.step == 100);
  CHECK(contains(stop.reason, "default"));
}

TEST_CASE("stop: stop_at_step alone rules, whatever the samples") {
  CHECK(stop_of({.stop_at_step = 7}).step == 7);
}

TEST_CASE("stop: of both flags the smaller rules and the reason names both") {
  const Stop steps =
      stop_of({.stop_at_step = 29, .num_epochs = 3, .samples_per_epoch = 100, .samples_per_step = 10});
  CHECK(steps.step == 29);
  CHECK(contains(steps.reason, "stops at step 29 (stop_at_step), the smaller of both set"));
  CHECK(contains(steps.reason, "stops at step 30 (num_epochs"));
  const Stop epochs =
      stop_of({.stop_at_step = 31, .num_epochs = 3, .samples_per_epoch = 100, .samples_per_step = 10});
  CHECK(epochs.step == 30);
  CHECK(contains(epochs.reason, "31"));
}

TEST_CASE("stop: batches cross epochs and a short last batch is dropped and said") {
  const Stop stop = stop_of({.num_epochs = 2, .samples_per_epoch = 33, .samples_per_step = 32});
  CHECK(stop.step == 2);
  CHECK(contains(stop.reason, "the last 2 are not trained"));
}

TEST_CASE("stop: values below 1 and too few samples are refused by flag") {
  CHECK(contains(message_of({.stop_at_step = 0}), "stop_at_step must be at least 1; got 0"));
  CHECK(contains(message_of({.num_epochs = 0, .samples_per_epoch = 1, .samples_per_step = 1}),
                 "num_epochs must be at least 1; got 0"));
  CHECK(contains(message_of({.num_epochs = 1, .samples_per_step = 1}),
                 "num_sample_per_epoch must be at least 1"));
  CHECK(contains(message_of({.num_epochs = 1, .samples_per_epoch = 1}), "batch_size must be at least 1"));
  CHECK(contains(message_of({.num_epochs = 3, .samples_per_epoch = 10, .samples_per_step = 32}),
                 "3 epochs of 10 samples are fewer than the 32 samples of a step"));
  CHECK(contains(
      message_of({.num_epochs = std::int64_t{1} << 62, .samples_per_epoch = 4, .samples_per_step = 1}),
      "more samples than can be counted"));
}
