#include "optim/optimizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/base/names.h"

namespace fastnn::optim {
namespace {

using kernels::OptimizerRule;

constexpr std::array<OptimizerEntry, 8> kOptimizers{{
    {"adadelta", OptimizerRule::adadelta, {"Adadelta", "Adadelta_1"}},
    {"adagrad", OptimizerRule::adagrad, {"Adagrad", ""}},
    {"adam", OptimizerRule::adam, {"Adam", "Adam_1"}},
    {"ftrl", OptimizerRule::ftrl, {"Ftrl", "Ftrl_1"}},
    {"momentum", OptimizerRule::momentum, {"Momentum", ""}},
    {"sgd", OptimizerRule::sgd, {"", ""}},
    {"rmsprop", OptimizerRule::rmsprop, {"RMSProp", "RMSProp_1"}},
    {"adamweightdecay", OptimizerRule::adam_weight_decay, {"adam_m", "adam_v"}},
}};

constexpr double kDefaultEpsilon = 1.0;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The smallest number above 0: as lower bound it means "above 0", as upper bound "at most 0".
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

/// A flag's value, its bounds (at_least <= value < below) and what to call them.
struct Checked {
  std::string_view flag;
  double value;
  double at_least;
  double below;
  std::string_view range;
};

void check(const Checked& c) {
  if (c.value >= c.at_least && c.value < c.below) return;
  throw UsageError("[optimizer] {} must be {}; got {}; set --{} accordingly", c.flag, c.range, c.value,
                   c.flag);
}

void check(const OptimizerOptions& o) {
  const std::string_view fraction = "at least 0 and below 1";
  const std::string_view positive = "above 0 and finite";
  const std::string_view not_negative = "at least 0 and finite";
  const Checked all[] = {
      {"momentum", o.momentum, 0, 1, fraction},
      {"rmsprop_momentum", o.rmsprop_momentum, 0, 1, fraction},
      {"rmsprop_decay", o.rmsprop_decay, 0, 1, fraction},
      {"opt_epsilon", o.opt_epsilon.value_or(kDefaultEpsilon), kTiny, kInfinity, positive},
      {"adam_beta1", o.adam_beta1, 0, 1, fraction},
      {"adam_beta2", o.adam_beta2, 0, 1, fraction},
      {"adadelta_rho", o.adadelta_rho, 0, 1, fraction},
      {"adagrad_initial_accumulator_value", o.adagrad_initial_accumulator_value, kTiny, kInfinity, positive},
      {"ftrl_learning_rate_power", o.ftrl_learning_rate_power, std::numeric_limits<double>::lowest(), kTiny,
       "at most 0 and finite"},
      {"ftrl_initial_accumulator_value", o.ftrl_initial_accumulator_value, 0, kInfinity, not_negative},
      {"ftrl_l1", o.ftrl_l1, 0, kInfinity, not_negative},
      {"ftrl_l2", o.ftrl_l2, 0, kInfinity, not_negative},
  };
  for (const Checked& one : all) check(one);
}

const OptimizerEntry& entry_of(std::string_view name) {
  const auto entry = std::find_if(kOptimizers.begin(), kOptimizers.end(),
                                  [name](const OptimizerEntry& e) { return e.name == name; });
  if (entry != kOptimizers.end()) return *entry;
  std::vector<std::string_view> known;
  for (const OptimizerEntry& e : kOptimizers) known.push_back(e.name);
  throw UsageError("[optimizer] {}; set --optimizer to one of them", unknown_name("optimizer", name, known));
}

}  // namespace

std::span<const OptimizerEntry> optimizers() {
  return kOptimizers;
}

Optimizer::Optimizer(const OptimizerEntry& entry, const kernels::OptimizerParameters& parameters)
    : entry_(entry), parameters_(parameters) {
  for (int slot = 0; slot < kernels::info_of(entry.rule).slots; ++slot)
    slots_.push_back(
        {entry.slot_suffixes[static_cast<std::size_t>(slot)], kernels::initial_slot_value(parameters, slot)});
}

std::vector<NamedScalar> Optimizer::checkpoint_scalars(std::int64_t updates) const {
  if (entry_.rule != OptimizerRule::adam) return {};
  const auto t = static_cast<double>(updates + 1);
  return {{"beta1_power", std::pow(parameters_.adam_beta1, t)},
          {"beta2_power", std::pow(parameters_.adam_beta2, t)}};
}

WeightDecay Optimizer::weight_decay(std::string_view variable, bool l2_marked, double weight_decay) const {
  if (entry_.rule != OptimizerRule::adam_weight_decay) return {.l2 = l2_marked ? weight_decay : 0};
  return {.decoupled = excluded_from_decoupled_decay(variable) ? 0 : weight_decay};
}

bool excluded_from_decoupled_decay(std::string_view variable) {
  const auto contains = [variable](std::string_view part) {
    return variable.find(part) != std::string_view::npos;
  };
  const std::string_view component = variable.substr(variable.rfind('/') + 1);
  return contains("LayerNorm") || contains("layer_norm") || contains("bias") || component == "beta" ||
         component == "gamma";
}

Optimizer make_optimizer(std::string_view name, const OptimizerOptions& options) {
  const OptimizerEntry& entry = entry_of(name);
  check(options);
  return {entry,
          {.rule = entry.rule,
           .momentum = options.momentum,
           .nesterov = options.use_nesterov,
           .rmsprop_decay = options.rmsprop_decay,
           .rmsprop_momentum = options.rmsprop_momentum,
           .epsilon = options.opt_epsilon.value_or(kDefaultEpsilon),
           .adam_beta1 = options.adam_beta1,
           .adam_beta2 = options.adam_beta2,
           .adadelta_rho = options.adadelta_rho,
           .adagrad_initial_accumulator = options.adagrad_initial_accumulator_value,
           .ftrl_learning_rate_power = options.ftrl_learning_rate_power,
           .ftrl_initial_accumulator = options.ftrl_initial_accumulator_value,
           .ftrl_l1 = options.ftrl_l1,
           .ftrl_l2 = options.ftrl_l2,
           .weight_decay_bias_correction = options.adam_bias_correction}};
}

std::string epsilon_warning(const Optimizer& optimizer, const OptimizerOptions& options) {
  const OptimizerRule rule = optimizer.parameters().rule;
  const bool adaptive = rule == OptimizerRule::adam || rule == OptimizerRule::adam_weight_decay ||
                        rule == OptimizerRule::adadelta;
  if (options.opt_epsilon || !adaptive) return {};
  return fmt::format(
      "[optimizer] {} runs with FastNN's default opt_epsilon {:.1f}, which was chosen for rmsprop and makes it behave almost like plain gradient descent; set --opt_epsilon (usual: {}) to choose",
      optimizer.name(), kDefaultEpsilon, rule == OptimizerRule::adadelta ? "1e-6" : "1e-8");
}

}  // namespace fastnn::optim
