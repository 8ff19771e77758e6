#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/device/device.h"
#include "engine/plan/plan.h"
#include "nets/network.h"
#include "optim/training_step.h"

namespace fastnn::bench {

/// The net to measure, as the trainer's parameters of the same names have it.
struct NetRunOptions {
  std::string model_name = "lenet";
  std::int64_t batch_size = 32;
  std::int64_t num_classes = 1000;
  /// 0: the net's own.
  std::int64_t image_size = 0;
  std::string optimizer = "momentum";
  /// Of activations: f32 or bf16.
  Dtype dtype = Dtype::f32;
};

/// The net that the options name, computing in their type. Throws UsageError as build_network does.
Network build_net(const NetRunOptions& options, Mode mode);

/// A random batch in memory, as a pipeline would hold it, with a label of each class in turn.
class RandomBatch {
 public:
  explicit RandomBatch(const Network& net);
  /// Writes the plan's inputs, as the trainer and the evaluator do.
  void copy_to(Plan& plan, const Network& net) const;

 private:
  std::vector<float> images_;
  std::vector<std::int32_t> labels_;
};

/// Seconds of the parts of a training step.
struct StepSplit {
  /// Copying a batch from memory into the plan's inputs.
  double data = 0;
  /// Copies of the weights in other layouts.
  double prepare = 0;
  double forward = 0;
  double backward = 0;
  double update = 0;
};

/// A launch of the backward pass, by its name.
bool is_backward(const LaunchInfo& launch);

/// A net in training on one random batch, which is copied in anew for each step. The learning rate is too
/// small to change anything: random weights on random images stay finite for as long as is measured.
class TrainingRun {
 public:
  /// Throws UsageError as build_network and make_optimizer do, EnvironmentError if the memory is not there.
  TrainingRun(const NetRunOptions& options, Device& device);

  void step();
  /// A step that notes the seconds of its launches, which costs a little. The profile is cleared before.
  StepSplit profiled_step(Profile& profile);

  const Plan& plan() const { return step_.plan(); }
  std::int64_t image_size() const { return net_.graph.shape(net_.images)[1]; }
  std::int64_t steps_done() const { return state_.step; }
  /// Weights, gradients and slots.
  std::size_t state_bytes() const { return state_.bytes(); }

 private:
  Network net_;
  optim::Optimizer optimizer_;
  optim::TrainingGraph training_;
  TrainState state_;
  optim::TrainingStep step_;
  RandomBatch batch_;
};

/// A net in evaluation on one random batch, which is copied in anew for each run.
class InferenceRun {
 public:
  /// Throws as TrainingRun.
  InferenceRun(const NetRunOptions& options, Device& device);

  void run();
  const Plan& plan() const { return plan_; }

 private:
  Network net_;
  TrainState state_;
  Plan plan_;
  RandomBatch batch_;
};

}  // namespace fastnn::bench
