#include "tools/train/benchmark.h"

#include "tests/support/catch.h"
#include "tests/tools/train/workplace.h"

using namespace fastnn;
using namespace fastnn::tests;
using namespace fastnn::tools;

namespace {

class LinesLog final : public Log {
 public:
  void info(std::string_view line) override { lines.emplace_back(line); }
  void warning(std::string_view line) override { lines.emplace_back(line); }
  std::vector<std::string> lines;
};

}  // namespace

TEST_CASE("benchmark: rate, standard error and jitter are those of the steps so far") {
  StepTimes times(10);
  CHECK(times.total() == "total images/sec: 0.00");
  times.add(0.1);
  CHECK(times.line(2.5) == "1\timages/sec: 100.0 +/- 0.0 (jitter = 0.0)\t2.500");
  times.add(0.2);
  times.add(0.1);
  // Rates 100, 50, 100: 30 samples in 0.4 s; deviation 23.57 / sqrt(3); the median distance is 0.
  CHECK(times.line(1) == "3\timages/sec: 75.0 +/- 13.6 (jitter = 0.0)\t1.000");
  times.add(0.2);
  // Rates 100, 50, 100, 50: median 75, each 25 away.
  CHECK(times.line(1) == "4\timages/sec: 66.7 +/- 12.5 (jitter = 37.1)\t1.000");
  CHECK(times.total() == "total images/sec: 66.67");
}

TEST_CASE("benchmark: warms up, then tells of the first, the last and each n-th step") {
  const StopSignal stop;
  LinesLog log;
  int steps = 0;
  const auto step = [&steps] { return static_cast<double>(++steps); };
  CHECK(measure({.warmup = 3, .steps = 5, .display_every = 2, .samples_per_step = 1, .what = "training"},
                step, stop, log) == ExitCode::done);
  CHECK(steps == 8);
  REQUIRE(log.lines.size() == 7);
  CHECK(log.lines[0].starts_with("benchmark: 3 training steps to warm up, then 5 measured"));
  const std::string losses[] = {"4.000", "5.000", "7.000", "8.000"};
  for (std::size_t i = 0; i < std::size(losses); ++i) CHECK(log.lines[2 + i].ends_with("\t" + losses[i]));
  CHECK(log.lines.back().starts_with("total images/sec: "));
}

TEST_CASE("fastnn-train: a benchmark measures training or the forward pass and writes no run") {
  const Workplace place;
  const std::string flags = "--benchmark --num_warmup_batches=1 --num_batches=3 --display_every=1";
  const auto training = place.train("training", flags);
  CHECK(training.exit_code == 0);
  CHECK(contains(training, "benchmark: 1 training steps to warm up, then 3 measured"));
  CHECK(contains(training, "total images/sec: "));
  const auto forward = place.train("forward", flags + " --forward_only");
  CHECK(forward.exit_code == 0);
  CHECK(contains(forward, "benchmark: 1 forward steps to warm up, then 3 measured"));
  CHECK(contains(forward, "3\timages/sec: "));
  for (const char* run : {"training", "forward"}) CHECK_FALSE(std::filesystem::exists(place.run(run)));
}
