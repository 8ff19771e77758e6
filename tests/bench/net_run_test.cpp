#include "bench/net_run.h"

#include "bench/net_bench.h"
#include "bench/step_bench.h"
#include "tests/support/catch.h"
#include "tests/support/messages.h"

using namespace fastnn;
using namespace fastnn::bench;

namespace {

const ProtocolOptions kOneCall = {.window_seconds = 0, .windows = 1, .warm_up_windows = 0};

NetRunOptions tiny() {
  return {.model_name = "lenet", .batch_size = 2, .num_classes = 10};
}

}  // namespace

TEST_CASE("training run: a profiled step splits into phases, and forgets the steps before") {
  const auto device = make_device("cpu", 1);
  TrainingRun run(tiny(), *device);
  Profile profile(run.plan().launches());
  run.profiled_step(profile);
  const StepSplit split = run.profiled_step(profile);
  CHECK(profile.runs() == 1);
  double launches = 0;
  for (std::size_t i = 0; i < profile.launches().size(); ++i) launches += profile.seconds(i);
  CHECK(split.forward + split.backward == Approx(launches));
  for (const double part : {split.data, split.prepare, split.forward, split.backward, split.update})
    CHECK(part > 0);
  CHECK(run.steps_done() == 2);
}

TEST_CASE("training run: launches of the gradient are the backward pass, those of the net are not") {
  const auto device = make_device("cpu", 1);
  const TrainingRun run(tiny(), *device);
  const auto launches = run.plan().launches();
  const auto backward = std::ranges::count_if(launches, is_backward);
  CHECK(backward > 0);
  CHECK(backward < std::ssize(launches));
  for (const LaunchInfo& launch : launches) {
    INFO(launch.name << ": " << launch.kind);
    if (tests::contains(launch.kind, "_gradient")) CHECK(is_backward(launch));
    if (launch.kind == "conv2d" || launch.kind == "max_pool") CHECK_FALSE(is_backward(launch));
  }
}

TEST_CASE("net bench: the windows are those of the protocol, the figures those of the plan") {
  const auto device = make_device("cpu", 1);
  const NetResult result = bench_net(tiny(), *device, kOneCall);
  CHECK(result.training.calls == 1);
  CHECK(result.inference.calls == 1);
  CHECK(result.image_size == 28);
  CHECK(result.training_memory.arena > result.inference_memory.arena);
  CHECK(result.state_bytes > 0);
}

TEST_CASE("step bench: every launch of the plan is in one row, and the three other phases have theirs") {
  const auto device = make_device("cpu", 1);
  const StepBenchResult result = bench_step(tiny(), *device, kOneCall, {});
  int launches = 0;
  double seconds = 0;
  for (const StepRow& row : result.rows) {
    launches += row.launches;
    seconds += row.time.median;
  }
  CHECK(launches == std::ssize(TrainingRun(tiny(), *device).plan().launches()));
  CHECK(seconds <= result.step.median);
  for (const char* phase : {"data", "prepare", "update"})
    CHECK(std::ranges::count(result.rows, phase, &StepRow::kind) == 1);
  CHECK(std::ranges::is_sorted(result.rows, std::greater(), [](const auto& row) { return row.time.median; }));
}

TEST_CASE("net run: a batch that cannot fit is refused with one that does, not begun") {
  const auto device = make_device("cpu", 1);
  const NetRunOptions options{.model_name = "lenet", .batch_size = 1 << 22, .num_classes = 10};
  for (const std::string& message :
       {tests::message_of<EnvironmentError>([&] { TrainingRun(options, *device); }),
        tests::message_of<EnvironmentError>([&] { InferenceRun(options, *device); })})
    CHECK(tests::contains(message, "[memory] batch_size 4194304 needs"));
}

TEST_CASE("training run: in bf16 images and logits are cast, and activations take less memory") {
  const auto device = make_device("cpu", 1);
  NetRunOptions narrow = tiny();
  narrow.dtype = Dtype::bf16;
  if (!device->computes(Dtype::bf16)) {
    CHECK_THAT(tests::message_of<UsageError>([&] { TrainingRun(narrow, *device); }),
               Catch::Contains("--dtype=bf16"));
    return;
  }
  const TrainingRun run(narrow, *device), wide(tiny(), *device);
  const auto launches = run.plan().launches();
  CHECK(std::ranges::count(launches, "cast", &LaunchInfo::kind) == 3);
  CHECK(run.plan().memory().arena < wide.plan().memory().arena);
}
