#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/optimizer_update.h"

namespace fastnn::optim {

/// One optimizer of the table: its name as a flag's value, its rule, and how TensorFlow's checkpoints name
/// the slots of variable "w": "w/" + suffix, in the order of the rule's slots; unused suffixes are empty.
struct OptimizerEntry {
  std::string_view name;
  kernels::OptimizerRule rule;
  std::array<std::string_view, kernels::kMaxSlots> slot_suffixes;
};

/// All optimizers, in FastNN's order.
std::span<const OptimizerEntry> optimizers();

/// The user's hyper-parameters: the fields are the flags of the same name, with FastNN's defaults.
struct OptimizerOptions {
  double momentum = 0.9;                                    ///< momentum only; rmsprop reads rmsprop_momentum
  kernels::Nesterov use_nesterov = kernels::Nesterov::off;  ///< momentum only
  double rmsprop_momentum = 0.9;
  double rmsprop_decay = 0.9;
  /// rmsprop, adam, adamweightdecay, adadelta; 1.0 unless set.
  std::optional<double> opt_epsilon = std::nullopt;
  double adam_beta1 = 0.9;    ///< adam, adamweightdecay
  double adam_beta2 = 0.999;  ///< adam, adamweightdecay
  double adadelta_rho = 0.95;
  double adagrad_initial_accumulator_value = 0.1;
  double ftrl_learning_rate_power = -0.5;
  double ftrl_initial_accumulator_value = 0.1;
  double ftrl_l1 = 0.0;
  double ftrl_l2 = 0.0;
  /// adamweightdecay: off as in FastNN; on makes it AdamW.
  kernels::BiasCorrection adam_bias_correction = kernels::BiasCorrection::off;
};

/// A state buffer of each variable.
struct Slot {
  std::string_view suffix;   ///< "Momentum" for the checkpoint name "<variable>/Momentum"
  double initial_value = 0;  ///< of every element before the first update
};

/// A scalar that TensorFlow keeps in checkpoints beside the slots.
struct NamedScalar {
  std::string name;
  double value = 0;
};

/// How the weights of one variable decay: what an OptimizerSegment carries.
struct WeightDecay {
  double l2 = 0;
  double decoupled = 0;
};

/// A chosen optimizer with checked hyper-parameters. A plain value; knows names, not buffers.
class Optimizer {
 public:
  Optimizer(const OptimizerEntry& entry, const kernels::OptimizerParameters& parameters);

  std::string_view name() const { return entry_.name; }
  const kernels::OptimizerParameters& parameters() const { return parameters_; }
  std::span<const Slot> slots() const { return slots_; }

  /// Scalars of a checkpoint after that many updates: beta1_power and beta2_power = beta^(updates + 1) for
  /// adam, which TensorFlow reads to go on; none for the others.
  std::vector<NamedScalar> checkpoint_scalars(std::int64_t updates) const;

  /// The decay of a variable. Coupled (l2 = weight_decay) where 'l2_marked' (golden/slim-variables.tsv) says
  /// so; for adamweightdecay decoupled, whatever the mark, except for biases and normalisation parameters.
  WeightDecay weight_decay(std::string_view variable, bool l2_marked, double weight_decay) const;

 private:
  OptimizerEntry entry_;
  kernels::OptimizerParameters parameters_;
  std::vector<Slot> slots_;
};

/// Whether adamweightdecay leaves a variable alone: LayerNorm, layer_norm or bias in its name (FastNN), or
/// beta or gamma as its last component (batch norm, which FastNN forgot).
bool excluded_from_decoupled_decay(std::string_view variable);

/// Throws UsageError for an unknown name (listing the known ones and the nearest) and for a hyper-parameter
/// out of range or not finite, naming its flag and range. All are checked, also those the optimizer ignores.
Optimizer make_optimizer(std::string_view name, const OptimizerOptions& options);

/// What to tell a user who left opt_epsilon at FastNN's 1.0, meant for rmsprop, with an optimizer that hardly
/// adapts at that value (adam, adamweightdecay, adadelta). Empty if there is nothing to say.
std::string epsilon_warning(const Optimizer& optimizer, const OptimizerOptions& options);

}  // namespace fastnn::optim
