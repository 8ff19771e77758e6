#pragma once

#include <optional>
#include <vector>

#include "engine/passes/pass_table.h"
#include "engine/plan/plan.h"
#include "engine/plan/train_state.h"
#include "optim/optimizer.h"
#include "optim/training_graph.h"

namespace fastnn::optim {

struct TrainingStepOptions {
  double weight_decay = 0;
  std::optional<double> max_gradient_norm;
  /// Micro-batches of a step: the mean of their gradients is followed.
  std::int64_t accumulate_steps = 1;
  /// Values that can be read after a step.
  std::vector<Value> keep;
  MemoryReuse reuse = MemoryReuse::on;
  /// Passes to leave out, by name.
  std::vector<std::string> disabled_passes;
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

/// A training step made ready, its graph rewritten by the passes: the phases prepare, forward + backward,
/// gradient statistics, update.
class TrainingStep {
 public:
  /// The state must hold the graph's parameters and the optimizer's slots. Lowers and plans, allocates
  /// nothing.
  TrainingStep(TrainingGraph training, const Optimizer& optimizer, TrainState& state,
               const TrainingStepOptions& options);

  /// What each pass found.
  const std::vector<PassResult>& passes() const { return passes_; }

  Plan& plan() { return plan_; }
  const Plan& plan() const { return plan_; }

  /// Allocates and binds all memory.
  void load();

  /// Forward and backward on the inputs written to plan(), one micro-batch; plan().random() says where in the
  /// stream of samples they stand. Batch norms take each micro-batch's own statistics.
  void compute(Profile* profile = nullptr);
  /// Follows the gradients of the accumulate_steps micro-batches computed before. Afterwards state.step is
  /// one more, unless the result is not finite. Throws UsageError if it were fewer or more.
  /// @param momentum of this update, in place of the optimizer's own.
  StepResult update(double learning_rate, std::optional<double> momentum = std::nullopt);
  /// Both, of a step with one micro-batch.
  StepResult run(double learning_rate, Profile* profile = nullptr);

  /// Summed over all runs.
  const PhaseSeconds& seconds() const { return seconds_; }

 private:
  Value loss_gradient_;
  TrainState& state_;
  std::vector<PassResult> passes_;
  Plan plan_;
  std::int64_t accumulate_steps_;
  std::int64_t computed_ = 0;
  Buffer sum_;
  ParameterUpdate update_;
  ParameterUpdateLaunches launches_;
  PhaseSeconds seconds_;
};

/// The optimizer's slots as TrainState wants them.
std::vector<SlotSpec> slot_specs(const Optimizer& optimizer);

}  // namespace fastnn::optim
