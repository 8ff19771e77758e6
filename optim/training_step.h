#pragma once

#include <optional>
#include <vector>

#include "engine/plan/plan.h"
#include "engine/plan/train_state.h"
#include "optim/optimizer.h"
#include "optim/training_graph.h"

namespace fastnn::optim {

struct TrainingStepOptions {
  double weight_decay = 0;
  std::optional<double> max_gradient_norm;
  /// Values that can be read after a step.
  std::vector<Value> keep;
  MemoryReuse reuse = MemoryReuse::on;
};

/// What one step found out, besides the values it keeps.
struct StepResult {
  /// Sum of weight_decay * sum(w^2) / 2 over the marked variables, before the update.
  double l2_loss = 0;
  /// Global norm of all gradients, before clipping.
  double gradient_norm = 0;
  /// False: a gradient was not finite; weights, slots and step are those before the step. Moving averages
  /// have moved in the layers whose statistics were finite.
  bool finite = true;
};

/// Wall-clock seconds of the phases of a step.
struct PhaseSeconds {
  /// Copies of the weights in the layouts of their readers.
  double prepare = 0;
  /// Forward and backward.
  double compute = 0;
  double update = 0;
};

/// A training step made ready: the phases prepare, forward + backward, gradient statistics, update.
class TrainingStep {
 public:
  /// The state must hold the graph's parameters and the optimizer's slots. Lowers and plans, allocates
  /// nothing.
  TrainingStep(TrainingGraph training, const Optimizer& optimizer, TrainState& state,
               const TrainingStepOptions& options);

  Plan& plan() { return plan_; }
  const Plan& plan() const { return plan_; }

  /// Allocates and binds all memory.
  void load();

  /// One step on the inputs written to plan(); plan().random() says where in the stream of samples they
  /// stand. Afterwards state.step is one more, unless the result is not finite.
  StepResult run(double learning_rate, Profile* profile = nullptr);

  /// Summed over all runs.
  const PhaseSeconds& seconds() const { return seconds_; }

 private:
  Value loss_gradient_;
  TrainState& state_;
  Plan plan_;
  ParameterUpdate update_;
  ParameterUpdateLaunches launches_;
  PhaseSeconds seconds_;
};

/// The optimizer's slots as TrainState wants them.
std::vector<SlotSpec> slot_specs(const Optimizer& optimizer);

}  // namespace fastnn::optim
