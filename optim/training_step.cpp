#include "optim/training_step.h"

#include <array>

namespace fastnn::optim {
namespace {

std::vector<kernels::OptimizerSegment> segments_of(const Optimizer& optimizer, const TrainState& state,
                                                   double weight_decay) {
  std::vector<kernels::OptimizerSegment> segments;
  for (const ParameterEntry& entry : state.trainable()) {
    const WeightDecay decay = optimizer.weight_decay(entry.name, entry.spec.l2, weight_decay);
    const auto begin = static_cast<std::int64_t>(entry.offset);
    segments.push_back({begin, begin + static_cast<std::int64_t>(entry.elements), decay.l2, decay.decoupled});
  }
  return segments;
}

std::int64_t at_least_one(std::int64_t accumulate_steps) {
  if (accumulate_steps < 1)
    throw UsageError("[step] accumulate_steps must be at least 1, got {}", accumulate_steps);
  return accumulate_steps;
}

ParameterUpdate update_of(const Optimizer& optimizer, const TrainState& state,
                          const TrainingStepOptions& options) {
  ParameterUpdate update{.parameters = optimizer.parameters(),
                         .segments = segments_of(optimizer, state, options.weight_decay),
                         .weights = state.weights(),
                         .gradients = state.gradients()};
  for (std::size_t i = 0; i < state.slots().size(); ++i) update.slots[i] = state.slot(i);
  update.step.max_gradient_norm = options.max_gradient_norm;
  return update;
}

}  // namespace

std::vector<SlotSpec> slot_specs(const Optimizer& optimizer) {
  std::vector<SlotSpec> specs;
  for (const Slot& slot : optimizer.slots()) specs.push_back({std::string(slot.suffix), slot.initial_value});
  return specs;
}

TrainingStep::TrainingStep(TrainingGraph training, const Optimizer& optimizer, TrainState& state,
                           const TrainingStepOptions& options)
    : loss_gradient_(training.loss_gradient),
      state_(state),
      passes_(rewrite(training, {.keep = options.keep, .disabled = options.disabled_passes})),
      plan_(std::move(training.graph), state,
            {.keep = options.keep, .gradients = std::move(training.gradients), .reuse = options.reuse}),
      accumulate_steps_(at_least_one(options.accumulate_steps)),
      update_(update_of(optimizer, state, options)) {}

void TrainingStep::load() {
  plan_.load();
  Device& device = state_.device();
  if (accumulate_steps_ > 1) sum_ = device.allocate(state_.elements() * size_of(device.storage(Dtype::f32)));
  update_.sum = sum_.data();
  launches_ = device.bind_update(update_);
  plan_.write(loss_gradient_,
              Tensor::of<float>(Shape{}, std::array{1.0F / static_cast<float>(accumulate_steps_)}));
}

void TrainingStep::compute(Profile* profile) {
  const double start = seconds_now();
  if (computed_ == 0) plan_.prepare();
  const double prepared = seconds_now();
  plan_.run(profile);
  if (accumulate_steps_ > 1) computed_ == 0 ? launches_.begin_sum() : launches_.add_to_sum();
  ++computed_;
  seconds_.prepare += prepared - start;
  seconds_.compute += seconds_now() - prepared;
}

StepResult TrainingStep::update(double learning_rate, std::optional<double> momentum) {
  if (computed_ != accumulate_steps_)
    throw UsageError("[step] an update follows {} micro-batches, got {}", accumulate_steps_, computed_);
  computed_ = 0;
  const double start = seconds_now();
  update_.step.learning_rate = learning_rate;
  update_.step.momentum = momentum;
  update_.step.updates = state_.step;
  launches_.statistics();
  launches_.update();
  const bool finite = update_.statistics.finite();
  if (finite) ++state_.step;
  seconds_.update += seconds_now() - start;
  return {update_.statistics.l2_loss, update_.statistics.norm(), finite};
}

StepResult TrainingStep::run(double learning_rate, Profile* profile) {
  compute(profile);
  return update(learning_rate);
}

}  // namespace fastnn::optim
