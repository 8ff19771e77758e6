#include "optim/schedule.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "engine/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

using namespace fastnn;
using namespace fastnn::optim;
using fastnn::tests::contains;
using nlohmann::json;

namespace {

ScheduleOptions options_of(const json& one) {
  return {.learning_rate = one["learning_rate"].get<double>(),
          .end_learning_rate = one["end_learning_rate"].get<double>(),
          .learning_rate_decay_type = one["decay_type"].get<std::string>(),
          .decay_scheme = one["decay_scheme"].get<std::string>(),
          .learning_rate_decay_factor = one["decay_factor"].get<double>(),
          .warmup_steps = one["warmup_steps"].get<std::int64_t>(),
          .stop_at_step = one["stop_at_step"].get<std::int64_t>(),
          .num_sample_per_epoch = one["num_samples"].get<std::int64_t>(),
          .samples_per_step = one["batch_size"].get<std::int64_t>(),
          .num_epochs_per_decay = one["num_epochs_per_decay"].get<double>()};
}

std::string message_of(const ScheduleOptions& options) {
  return tests::message_of<UsageError>([&] { Schedule schedule(options); });
}

}  // namespace

TEST_CASE("golden: learning rates of all schedules") {
  if (!tests::has_golden("schedules.json")) return;
  const json golden = tests::golden_json("schedules.json");
  REQUIRE_FALSE(golden["cases"].empty());
  for (const json& one : golden["cases"]) {
    INFO(one["case"]);
    const Schedule schedule(options_of(one));
    for (std::size_t i = 0; i < one["steps"].size(); ++i) {
      const auto step = one["steps"][i].get<std::int64_t>();
      const double expected = one["product_lr"][i].get<double>();
      INFO("step " << step);
      // The file holds 12 significant digits: half a unit of the last one is up to 5e-12.
      CHECK(std::abs(schedule.at(step) - expected) <= (1e-12 + 5e-12) * std::abs(expected));
    }
  }
}

TEST_CASE("schedule: luong changes at exact steps and halves unless a factor is set") {
  const std::pair<const char*, std::vector<std::int64_t>> cases[] = {
      {"luong5", {180, 210, 240, 270}},
      {"luong10", {165, 180, 195, 210, 225, 240, 255, 270, 285}},
      {"luong234", {225, 250, 275}}};
  for (const auto& [scheme, changes] : cases) {
    const Schedule schedule({.learning_rate = 1, .decay_scheme = scheme, .stop_at_step = 300});
    std::vector<std::int64_t> found;
    for (std::int64_t step = 1; step < 300; ++step)
      if (schedule.at(step) != schedule.at(step - 1)) found.push_back(step);
    CHECK(found == changes);
    CHECK(schedule.at(changes[0]) == 0.5);
    const Schedule user(
        {.learning_rate = 1, .decay_scheme = scheme, .learning_rate_decay_factor = 0.9, .stop_at_step = 300});
    CHECK(user.at(changes[0]) == 0.9);
  }
}

TEST_CASE("schedule: decay by epochs multiplies by 0.94 every two epochs unless set") {
  const Schedule schedule({.learning_rate = 1, .num_sample_per_epoch = 320, .samples_per_step = 32});
  CHECK(schedule.at(19) == 1);
  CHECK(schedule.at(20) == 0.94);
}

TEST_CASE("schedule: four ranks of a quarter of the batch see the rates of one rank") {
  const ScheduleOptions one_rank{.num_sample_per_epoch = 1000, .samples_per_step = 4 * 25};
  const ScheduleOptions four_ranks{.num_sample_per_epoch = 1000, .samples_per_step = 100};
  for (std::int64_t step = 0; step < 100; ++step)
    CHECK(Schedule(one_rank).at(step) == Schedule(four_ranks).at(step));
}

TEST_CASE("schedule: staircases are exact where a float product of step and 1 / interval is late") {
  const Schedule schedule({.learning_rate = 1, .decay_scheme = "luong234", .stop_at_step = 1000});
  for (const std::int64_t change : {749, 832, 998}) CHECK(schedule.at(change) == schedule.at(change - 1) / 2);
}

TEST_CASE("schedule: linear warm-up goes from a hundredth to the whole rate") {
  for (const char* type : {"fixed", "exponential"}) {
    const Schedule schedule({.learning_rate = 2,
                             .learning_rate_decay_type = type,
                             .warmup_steps = 10,
                             .warmup_scheme = "linear"});
    CHECK(schedule.at(0) == Approx(0.02).epsilon(1e-14));
    CHECK(schedule.at(5) == Approx(2 * 0.505).epsilon(1e-14));
    CHECK(schedule.at(10) == 2);
  }
}

TEST_CASE("schedule: cosine is TensorFlow's cosine_decay, over the whole run unless its steps are set") {
  // tf.compat.v1.train.cosine_decay(0.1, step, 100, alpha) of TensorFlow 2.21 with alpha 0 and 0.05, in
  // float32: its rounding of pi * step / 100 and of the cosine is up to 1e-7 of the rate at the start.
  constexpr double kRounding = 1e-8;
  const std::tuple<int, double, double> rates[] = {
      {0, 0.100000001, 0.100000001},       {1, 0.0999753252, 0.099976562},  {10, 0.0975528285, 0.0976751819},
      {11, 0.0970440432, 0.097191833},     {33, 0.075452067, 0.0766794607}, {50, 0.049999997, 0.0524999984},
      {99, 2.46733434e-05, 0.00502343988}, {100, 0, 0.00500000035},         {150, 0, 0.00500000035}};
  const ScheduleOptions options{.learning_rate = 0.1, .learning_rate_decay_type = "cosine"};
  ScheduleOptions with_end = options;
  with_end.end_learning_rate = 0.005;
  with_end.stop_at_step = 1000;
  with_end.learning_rate_decay_steps = 100;
  for (const auto& [step, rate, rate_with_end] : rates) {
    INFO("step " << step);
    CHECK(std::abs(Schedule(options).at(step) - rate) < kRounding);
    CHECK(std::abs(Schedule(with_end).at(step) - rate_with_end) < kRounding);
  }
}

TEST_CASE("schedule: cosine under a luong scheme begins where that does") {
  const Schedule schedule({.learning_rate = 1,
                           .learning_rate_decay_type = "cosine",
                           .decay_scheme = "luong5",
                           .stop_at_step = 100});
  CHECK(schedule.at(50) == 1);
  CHECK(schedule.at(75) == Approx(0.5).epsilon(1e-14));
  CHECK(schedule.at(100) == 0);
}

TEST_CASE(
    "schedule: piecewise is TensorFlow's piecewise_constant: a boundary belongs to the value before it") {
  const Schedule schedule({.learning_rate_decay_type = "piecewise",
                           .learning_rate_boundaries = {10, 20},
                           .learning_rate_values = {0.1, 0.01, 0.001},
                           .stop_at_step = 50});
  for (const auto& [step, rate] :
       {std::pair(0, 0.1), {10, 0.1}, {11, 0.01}, {20, 0.01}, {21, 0.001}, {150, 0.001}})
    CHECK(schedule.at(step) == rate);
  CHECK(schedule.describe() ==
        "learning rate, piecewise: 0.1, 0.01, 0.001 up to steps 10, 20\n"
        "rate at step 0: 0.1, 11: 0.01, 21: 0.001, last step 49: 0.001");
}

TEST_CASE("schedule: piecewise takes one value more than boundaries, and these ascend") {
  const auto message = [](std::vector<std::int64_t> boundaries, std::vector<double> values) {
    return message_of({.learning_rate_decay_type = "piecewise",
                       .learning_rate_boundaries = std::move(boundaries),
                       .learning_rate_values = std::move(values)});
  };
  CHECK(contains(message({1}, {0.1}),
                 "learning_rate_values must be one more than the learning_rate_boundaries"));
  CHECK(contains(message({}, {}), "got 0 and 0"));
  CHECK(contains(message({2, 2}, {3, 2, 1}), "learning_rate_boundaries must ascend from 0 or more; got 2,2"));
  CHECK(contains(message({-1}, {2, 1}), "got -1"));
  CHECK(contains(message({1}, {0.1, 0}), "learning_rate_values must be above 0"));
}

TEST_CASE("schedule: one cycle rises from a 25th to the rate and falls to its end in the last step") {
  const Schedule schedule({.learning_rate = 1, .learning_rate_decay_type = "one_cycle", .stop_at_step = 101});
  CHECK(schedule.at(0) == Approx(0.04).epsilon(1e-14));
  CHECK(schedule.at(15) == Approx(0.52).epsilon(1e-14));
  CHECK(schedule.at(30) == 1);
  CHECK(schedule.at(65) == Approx(0.5 * (1 + 4e-6)).epsilon(1e-14));
  CHECK(schedule.at(100) == Approx(4e-6).epsilon(1e-9));
  CHECK(schedule.at(5000) == schedule.at(100));
  CHECK(contains(schedule.describe(), "one_cycle: from 0.04 up to step 30, then down to 4e-06\n"));
  CHECK(contains(message_of({.learning_rate_decay_type = "one_cycle", .one_cycle_rise = 1}),
                 "one_cycle_rise must be above 0 and below 1; got 1"));
}

TEST_CASE("schedule: momentum goes against the rate of one cycle where its least is set") {
  const ScheduleOptions options{.learning_rate = 1,
                                .learning_rate_decay_type = "one_cycle",
                                .one_cycle_momentum = 0.85,
                                .momentum = 0.95,
                                .stop_at_step = 101};
  const Schedule schedule(options);
  for (const auto& [step, momentum] :
       {std::pair(0, 0.95), {15, 0.9}, {30, 0.85}, {65, 0.9}, {100, 0.95}, {5000, 0.95}})
    CHECK(schedule.momentum_at(step).value() == Approx(momentum).epsilon(1e-14));
  CHECK(contains(schedule.describe(), "; momentum from 0.95 to 0.85 and back\n"));
  CHECK_FALSE(Schedule({.learning_rate_decay_type = "one_cycle"}).momentum_at(3));
  CHECK_FALSE(Schedule({.learning_rate_decay_type = "cosine", .one_cycle_momentum = 0.5}).momentum_at(3));
  CHECK(contains(message_of({.learning_rate_decay_type = "one_cycle", .one_cycle_momentum = 1}),
                 "one_cycle_momentum must be at least 0 and below 1; got 1"));
}

TEST_CASE("schedule: learning_rate_decay_steps rules over the epochs") {
  const Schedule staircase(
      {.learning_rate = 1, .learning_rate_decay_factor = 0.5, .learning_rate_decay_steps = 7});
  CHECK(staircase.at(6) == 1);
  CHECK(staircase.at(7) == 0.5);
  const Schedule line({.learning_rate = 1,
                       .end_learning_rate = 0,
                       .learning_rate_decay_type = "polynomial",
                       .learning_rate_decay_steps = 10});
  CHECK(line.at(5) == 0.5);
}

TEST_CASE(
    "schedule: rates follow the samples of a step linearly where a base is set, and this is printed (C87)") {
  for (const char* type : {"fixed", "exponential", "polynomial", "cosine", "piecewise", "one_cycle"}) {
    INFO(type);
    ScheduleOptions options{.learning_rate = 0.1,
                            .end_learning_rate = 0.01,
                            .learning_rate_decay_type = type,
                            .learning_rate_boundaries = {50},
                            .learning_rate_values = {0.1, 0.01},
                            .warmup_steps = 3,
                            .samples_per_step = 512};
    const Schedule as_it_is(options);
    options.base_batch_size = 256;
    const Schedule scaled(options);
    for (const std::int64_t step : {0, 2, 40, 60, 99})
      CHECK(scaled.at(step) == Approx(2 * as_it_is.at(step)).epsilon(1e-14));
    CHECK(contains(scaled.describe(), "all rates x 2: 512 samples a step, base_batch_size 256\n"));
    CHECK_FALSE(contains(as_it_is.describe(), "all rates"));
  }
  CHECK(contains(message_of({.base_batch_size = 0}), "base_batch_size must be at least 1"));
}

TEST_CASE("schedule: warmup_steps of 0 or less means no warm-up") {
  for (const std::int64_t steps : {0, -5}) {
    const Schedule schedule({.learning_rate = 2, .learning_rate_decay_type = "fixed", .warmup_steps = steps});
    CHECK(schedule.at(0) == 2);
  }
}

TEST_CASE("schedule: never NaN, at any step of any type, scheme and length") {
  for (const char* type : {"fixed", "exponential", "polynomial", "cosine", "one_cycle"})
    for (const char* scheme : {"", "luong5", "luong10", "luong234"})
      for (const std::int64_t stop : {std::int64_t{1}, std::int64_t{2}, std::int64_t{9}, std::int64_t{18},
                                      std::int64_t{100}, std::int64_t{1} << 62}) {
        const Schedule schedule({.learning_rate_decay_type = type,
                                 .decay_scheme = scheme,
                                 .warmup_steps = 3,
                                 .stop_at_step = stop});
        for (const std::int64_t step : {std::int64_t{0}, std::int64_t{1}, stop / 2, stop - 1, stop, stop + 1,
                                        2 * (stop - 1), std::int64_t{1} << 62})
          CHECK((std::isfinite(schedule.at(step)) && schedule.at(step) >= 0 && schedule.at(step) <= 0.01));
      }
}

TEST_CASE("schedule: polynomial decay stays at its end beyond stop_at_step") {
  const Schedule schedule(
      {.learning_rate_decay_type = "polynomial", .decay_scheme = "luong5", .stop_at_step = 50});
  CHECK(schedule.at(25) == 0.01);
  CHECK(schedule.at(50) == 0.0001);
  CHECK(schedule.at(5000) == 0.0001);
}

TEST_CASE("schedule: the description names the rule and the changes of the run") {
  const Schedule luong(
      {.learning_rate = 0.1, .decay_scheme = "luong10", .warmup_steps = 10, .stop_at_step = 300});
  CHECK(luong.describe() ==
        "learning rate 0.1, exponential: x 0.5 every 15 steps from step 150 on (luong10 of 300 steps); t2t "
        "warm-up "
        "from 0.001 over 10 steps\n"
        "rate at step 0: 0.001, 10: 0.1, 165: 0.05, 180: 0.025, 195: 0.0125, 210: 0.00625, ... (9 changes), "
        "last "
        "step 299: 0.000195313");
  const Schedule epochs({.num_sample_per_epoch = 60000});
  CHECK(epochs.describe() ==
        "learning rate 0.01, exponential: x 0.94 every 3750 steps from step 0 on (2 epochs of 60000 samples, "
        "32 a "
        "step)\nrate at step 0: 0.01, last step 99: 0.01");
  const Schedule polynomial({.learning_rate_decay_type = "polynomial", .decay_scheme = "luong5"});
  CHECK(polynomial.describe() ==
        "learning rate 0.01, polynomial: linear to 0.0001 from step 50 to 100 (luong5 of 100 steps)\n"
        "rate at step 0: 0.01, last step 99: 0.000298");
  CHECK(Schedule({.learning_rate_decay_type = "fixed"}).describe() ==
        "learning rate 0.01, fixed\nrate at step 0: 0.01, last step 99: 0.01");
}

TEST_CASE("schedule: unknown types and schemes list the known ones and the nearest") {
  CHECK(
      contains(message_of({.learning_rate_decay_type = "exponental"}),
               "did you mean exponential? There is no learning_rate_decay_type \"exponental\"; known: fixed, "
               "exponential, polynomial, cosine, piecewise, one_cycle"));
  CHECK(contains(message_of({.decay_scheme = "luong6"}), "known: \"\" (empty), luong5, luong10, luong234"));
  CHECK(contains(message_of({.warmup_scheme = "cosine"}), "known: t2t, linear"));
}

TEST_CASE("schedule: a number out of range is named with its flag and value") {
  CHECK(contains(message_of({.learning_rate = 0}), "learning_rate must be above 0 and finite; got 0"));
  CHECK(contains(message_of({.learning_rate = std::nan("")}), "learning_rate must be above 0 and finite"));
  CHECK(contains(message_of({.end_learning_rate = -1}),
                 "end_learning_rate must be at least 0 and finite; got -1"));
  CHECK(contains(message_of({.learning_rate_decay_factor = 1.5}),
                 "learning_rate_decay_factor must be above 0 and at most 1; got 1.5"));
  CHECK(contains(message_of({.stop_at_step = 0}), "stop_at_step must be at least 1; got 0"));
  CHECK(contains(message_of({.num_sample_per_epoch = 0}), "num_sample_per_epoch must be at least 1; got 0"));
  CHECK(contains(message_of({.samples_per_step = 0}), "batch_size must be at least 1; got 0"));
  CHECK(contains(message_of({.num_epochs_per_decay = 0}), "num_epochs_per_decay must be above 0"));
}
