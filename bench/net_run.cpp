#include "bench/net_run.h"

#include <array>

#include "engine/passes/precision.h"
#include "kernels/philox.h"
#include "tools/common/machine_memory.h"
#include "tools/common/memory_check.h"

namespace fastnn::bench {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kLearningRate = 1e-6;
constexpr double kWeightDecay = 4e-5;

/// Refuses what does not fit before it is allocated; the state is allocated already.
RandomBatch batch_that_fits(const Network& net, const Plan& plan, const NetRunOptions& options) {
  const auto floats = static_cast<std::size_t>(net.graph.shape(net.images).elements());
  tools::require_memory({.plan = plan.memory(), .input = floats * sizeof(float)}, tools::available_memory(),
                        options.batch_size);
  return RandomBatch(net);
}

/// The net, unless the device has no arithmetic of its type.
Network net_for(const Device& device, const NetRunOptions& options, Mode mode) {
  if (!device.computes(options.dtype))
    throw UsageError("--dtype={}: {} has no {} arithmetic on this processor; leave the flag out for f32",
                     name_of(options.dtype), device.name(), name_of(options.dtype));
  return build_net(options, mode);
}

Network with_passes(Network net) {
  run_passes(net.graph, {.keep = {net.predictions}, .disabled = {}});
  return net;
}

}  // namespace

Network build_net(const NetRunOptions& options, Mode mode) {
  Network net = build_network(options.model_name, {.batch_size = options.batch_size,
                                                   .num_classes = options.num_classes,
                                                   .image_size = options.image_size,
                                                   .mode = mode});
  compute_in(net.graph, options.dtype);
  return net;
}

RandomBatch::RandomBatch(const Network& net)
    : images_(static_cast<std::size_t>(net.graph.shape(net.images).elements())),
      labels_(static_cast<std::size_t>(net.graph.shape(net.labels).elements())) {
  for (std::size_t i = 0; i < images_.size(); ++i)
    images_[i] =
        2.0F * kernels::uniform01(kernels::philox({static_cast<std::uint32_t>(i), 0, 0, 0}, kSeed)[0]) - 1.0F;
  const auto classes = static_cast<std::size_t>(net.graph.shape(net.logits)[1]);
  for (std::size_t i = 0; i < labels_.size(); ++i) labels_[i] = static_cast<std::int32_t>(i % classes);
}

void RandomBatch::copy_to(Plan& plan, const Network& net) const {
  const std::array valid = {static_cast<std::int32_t>(labels_.size())};
  plan.write(net.images, std::span(images_));
  plan.write(net.labels, std::span(labels_));
  plan.write(net.valid_count, std::span<const std::int32_t>(valid));
}

bool is_backward(const LaunchInfo& launch) {
  return launch.name.find("/gradient/") != std::string::npos;
}

TrainingRun::TrainingRun(const NetRunOptions& options, Device& device)
    : net_(net_for(device, options, Mode::training)),
      optimizer_(optim::make_optimizer(options.optimizer, {})),
      training_(optim::differentiate(net_.graph, net_.loss)),
      state_(training_.graph, training_.parameters, device, optim::slot_specs(optimizer_)),
      step_(std::move(training_), optimizer_, state_, {.weight_decay = kWeightDecay}),
      batch_(batch_that_fits(net_, step_.plan(), options)) {
  state_.initialize(kSeed);
  step_.load();
}

void TrainingRun::step() {
  batch_.copy_to(step_.plan(), net_);
  step_.run(kLearningRate);
}

StepSplit TrainingRun::profiled_step(Profile& profile) {
  profile.clear();
  const optim::PhaseSeconds before = step_.seconds();
  const double begin = seconds_now();
  batch_.copy_to(step_.plan(), net_);
  StepSplit split{.data = seconds_now() - begin};
  step_.run(kLearningRate, &profile);
  split.prepare = step_.seconds().prepare - before.prepare;
  split.update = step_.seconds().update - before.update;
  for (std::size_t i = 0; i < profile.launches().size(); ++i)
    (is_backward(profile.launches()[i]) ? split.backward : split.forward) += profile.seconds(i);
  return split;
}

InferenceRun::InferenceRun(const NetRunOptions& options, Device& device)
    : net_(with_passes(net_for(device, options, Mode::evaluation))),
      state_(net_.graph, net_.graph.parameters(), device),
      plan_(net_.graph, state_, {.keep = {net_.predictions}}),
      batch_(batch_that_fits(net_, plan_, options)) {
  state_.initialize(kSeed);
  plan_.load();
  plan_.prepare();
}

void InferenceRun::run() {
  batch_.copy_to(plan_, net_);
  plan_.run();
}

}  // namespace fastnn::bench
