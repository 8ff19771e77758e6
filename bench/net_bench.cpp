#include "bench/net_bench.h"

#include <array>
#include <numeric>
#include <vector>

#include "kernels/philox.h"
#include "nets/network.h"
#include "optim/training_step.h"

namespace fastnn::bench {
namespace {

constexpr std::uint64_t kSeed = 1;
/// Small, so that random weights on random images stay finite for as long as is measured.
constexpr double kLearningRate = 1e-6;

NetOptions net_options(const NetBenchOptions& options, Mode mode) {
  return {.batch_size = options.batch_size,
          .num_classes = options.num_classes,
          .image_size = options.image_size,
          .mode = mode};
}

/// A random batch in memory, as a pipeline would hold it.
struct RandomBatch {
  explicit RandomBatch(const Network& net)
      : images(static_cast<std::size_t>(net.graph.shape(net.images).elements())),
        labels(static_cast<std::size_t>(net.graph.shape(net.labels).elements())) {
    for (std::size_t i = 0; i < images.size(); ++i)
      images[i] =
          static_cast<float>(kernels::philox({static_cast<std::uint32_t>(i), 0, 0, 0}, kSeed)[0]) * 0x1p-31F -
          1.0F;
    const auto classes = net.graph.shape(net.logits)[1];
    for (std::size_t i = 0; i < labels.size(); ++i)
      labels[i] = static_cast<std::int32_t>(static_cast<std::int64_t>(i) % classes);
  }

  void copy_to(Plan& plan, const Network& net) const {
    const std::array valid = {static_cast<std::int32_t>(labels.size())};
    plan.write(net.images, std::span(images));
    plan.write(net.labels, std::span(labels));
    plan.write(net.valid_count, std::span<const std::int32_t>(valid));
  }

  std::vector<float> images;
  std::vector<std::int32_t> labels;
};

bool is_backward(const LaunchInfo& launch) {
  return launch.name.find("/gradient/") != std::string::npos;
}

void add_profile(const Profile& profile, NetResult& result) {
  for (std::size_t i = 0; i < profile.launches().size(); ++i) {
    const LaunchInfo& launch = profile.launches()[i];
    (is_backward(launch) ? result.split.backward : result.split.forward) += profile.seconds(i);
    KindTime& kind = result.kinds[launch.kind + ": " + launch.implementation];
    kind.seconds += profile.seconds(i);
    kind.flops += launch.flops;
    kind.bytes += launch.bytes;
    ++kind.launches;
  }
}

void bench_training(const NetBenchOptions& options, Device& device, NetResult& result) {
  const Network net = build_network(options.model_name, net_options(options, Mode::training));
  auto training = optim::differentiate(net.graph, net.loss);
  const auto optimizer = optim::make_optimizer(options.optimizer, {});
  TrainState state(training.graph, training.parameters, device, optim::slot_specs(optimizer));
  optim::TrainingStep step(std::move(training), optimizer, state, {.weight_decay = 4e-5});
  state.initialize(kSeed);
  step.load();
  const RandomBatch batch(net);
  result.image_size = net.graph.shape(net.images)[1];
  result.training_memory = step.plan().memory();
  result.state_bytes = state.bytes();
  result.training = measure(
      [&] {
        batch.copy_to(step.plan(), net);
        step.run(kLearningRate);
      },
      options.protocol);
  const optim::PhaseSeconds before = step.seconds();
  Profile profile(step.plan().launches());
  for (int i = 0; i < options.profiled_steps; ++i) {
    const double begin = seconds_now();
    batch.copy_to(step.plan(), net);
    result.split.data += (seconds_now() - begin) / options.profiled_steps;
    step.run(kLearningRate, &profile);
  }
  result.split.prepare = (step.seconds().prepare - before.prepare) / options.profiled_steps;
  result.split.update = (step.seconds().update - before.update) / options.profiled_steps;
  add_profile(profile, result);
}

void bench_inference(const NetBenchOptions& options, Device& device, NetResult& result) {
  const Network net = build_network(options.model_name, net_options(options, Mode::evaluation));
  TrainState state(net.graph, net.graph.parameters(), device);
  Plan plan(net.graph, state, {.keep = {net.predictions}});
  state.initialize(kSeed);
  plan.load();
  plan.prepare();
  const RandomBatch batch(net);
  result.inference_memory = plan.memory();
  result.inference = measure(
      [&] {
        batch.copy_to(plan, net);
        plan.run();
      },
      options.protocol);
}

}  // namespace

NetResult bench_net(const NetBenchOptions& options, Device& device) {
  NetResult result{.options = options};
  bench_training(options, device, result);
  bench_inference(options, device, result);
  return result;
}

}  // namespace fastnn::bench
