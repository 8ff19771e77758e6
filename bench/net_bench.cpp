#include "bench/net_bench.h"

namespace fastnn::bench {
namespace {

/// Steps that are split into their parts.
constexpr int kProfiledSteps = 5;

StepSplit measure_split(TrainingRun& run) {
  Profile profile(run.plan().launches());
  const auto call = [&](std::span<double> seconds) {
    const StepSplit split = run.profiled_step(profile);
    const double parts[] = {split.data, split.prepare, split.forward, split.backward, split.update};
    for (std::size_t i = 0; i < seconds.size(); ++i) seconds[i] += parts[i];
  };
  const auto parts =
      measure_parts(call, 5, {.window_seconds = 0, .windows = kProfiledSteps, .warm_up_windows = 0}).parts;
  return {parts[0].median, parts[1].median, parts[2].median, parts[3].median, parts[4].median};
}

void bench_training(Device& device, const ProtocolOptions& protocol, NetResult& result) {
  TrainingRun run(result.options, device);
  result.image_size = run.image_size();
  result.training_memory = run.plan().memory();
  result.state_bytes = run.state_bytes();
  result.training = measure([&] { run.step(); }, protocol);
  result.split = measure_split(run);
}

void bench_inference(Device& device, const ProtocolOptions& protocol, NetResult& result) {
  InferenceRun run(result.options, device);
  result.inference_memory = run.plan().memory();
  result.inference = measure([&] { run.run(); }, protocol);
}

}  // namespace

NetResult bench_net(const NetRunOptions& options, Device& device, const ProtocolOptions& protocol) {
  NetResult result{.options = options};
  bench_training(device, protocol, result);
  bench_inference(device, protocol, result);
  return result;
}

}  // namespace fastnn::bench
