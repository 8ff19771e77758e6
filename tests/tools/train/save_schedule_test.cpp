#include "tools/train/save_schedule.h"

#include "tests/support/catch.h"
#include "tests/tools/parameters/parse_support.h"
#include "tools/train/settings.h"

using namespace fastnn::tests;
using namespace fastnn::tools;

TEST_CASE("save schedule: by steps, each n-th is due") {
  SaveSchedule schedule({.steps = 3, .seconds = {}}, 0);
  for (int step = 1; step <= 9; ++step) CHECK(schedule.is_due(step, 1e6 * step) == (step % 3 == 0));
}

TEST_CASE("save schedule: by the clock, the time since the last checkpoint counts") {
  SaveSchedule schedule({.steps = {}, .seconds = 10}, 100);
  CHECK_FALSE(schedule.is_due(1, 109));
  CHECK(schedule.is_due(2, 115));
  CHECK_FALSE(schedule.is_due(3, 124));
  CHECK(schedule.is_due(4, 125));
}

TEST_CASE("save schedule: with both, a checkpoint by steps begins the time anew") {
  SaveSchedule schedule({.steps = 2, .seconds = 10}, 0);
  CHECK_FALSE(schedule.is_due(1, 9));
  CHECK(schedule.is_due(2, 9));
  CHECK_FALSE(schedule.is_due(3, 18));
  CHECK(schedule.is_due(5, 19));
}

TEST_CASE("save schedule: save_interval_secs rules alone unless save_checkpoints_steps is set, too") {
  const auto options = [](const Arguments& arguments) { return save_options(parse_train(arguments)); };
  CHECK(options({}).steps == 1000);
  CHECK_FALSE(options({}).seconds);
  CHECK_FALSE(options({"--save_interval_secs=60"}).steps);
  CHECK(options({"--save_interval_secs=60"}).seconds == 60.0);
  CHECK(options({"--save_interval_secs=60", "--save_checkpoints_steps=5"}).steps == 5);
  CHECK(options({"--save_interval_secs=0"}).steps == 1000);
  CHECK_FALSE(options({"--save_interval_secs=0"}).seconds);
}
