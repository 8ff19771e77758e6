#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

namespace fastnn::kernels {

/// The update rules of FastNN.
enum class OptimizerRule { sgd, momentum, rmsprop, adam, adagrad, adadelta, ftrl, adam_weight_decay };

/// Most slots (state buffers as long as the weights) that any rule has.
inline constexpr int kMaxSlots = 2;

struct OptimizerRuleInfo {
  OptimizerRule rule;
  std::string_view name;
  int slots;
};

/// Every rule with its FastNN name and number of slots, in the order of the enum.
inline constexpr std::array<OptimizerRuleInfo, 8> kOptimizerRules{{
    {OptimizerRule::sgd, "sgd", 0},
    {OptimizerRule::momentum, "momentum", 1},
    {OptimizerRule::rmsprop, "rmsprop", 2},
    {OptimizerRule::adam, "adam", 2},
    {OptimizerRule::adagrad, "adagrad", 1},
    {OptimizerRule::adadelta, "adadelta", 2},
    {OptimizerRule::ftrl, "ftrl", 2},
    {OptimizerRule::adam_weight_decay, "adamweightdecay", 2},
}};

constexpr const OptimizerRuleInfo& info_of(OptimizerRule rule) {
  return kOptimizerRules[static_cast<std::size_t>(rule)];
}

/// Whether Adam's rate is corrected for moments that start at zero.
enum class BiasCorrection { off, on };

/// Whether momentum looks ahead: a step goes along the gradient and the momentum that it has made.
enum class Nesterov { off, on };

/// A rule and all hyper-parameters, with FastNN's defaults; each rule reads its own.
struct OptimizerParameters {
  OptimizerRule rule = OptimizerRule::rmsprop;
  double momentum = 0.9;              ///< momentum
  Nesterov nesterov = Nesterov::off;  ///< momentum
  double rmsprop_decay = 0.9;         ///< rmsprop: decay of the mean square
  double rmsprop_momentum = 0.9;      ///< rmsprop
  double epsilon = 1.0;               ///< rmsprop (inside the root), adam, adam_weight_decay, adadelta
  double adam_beta1 = 0.9;            ///< adam, adam_weight_decay: decay of the first moment
  double adam_beta2 = 0.999;          ///< likewise of the second moment
  double adadelta_rho = 0.95;         ///< adadelta: decay of both averages
  double adagrad_initial_accumulator = 0.1;
  double ftrl_learning_rate_power = -0.5;  ///< ftrl: at most 0
  double ftrl_initial_accumulator = 0.1;
  double ftrl_l1 = 0.0;
  double ftrl_l2 = 0.0;
  /// adam_weight_decay: FastNN has no bias correction. (adam always has.)
  BiasCorrection weight_decay_bias_correction = BiasCorrection::off;
};

/// What every element of a slot holds before the first update: 1 for rmsprop's mean square, the initial
/// accumulator of adagrad and of ftrl's first slot, else 0.
constexpr double initial_slot_value(const OptimizerParameters& parameters, int slot) {
  if (slot != 0) return 0.0;
  switch (parameters.rule) {
    case OptimizerRule::rmsprop:
      return 1.0;
    case OptimizerRule::adagrad:
      return parameters.adagrad_initial_accumulator;
    case OptimizerRule::ftrl:
      return parameters.ftrl_initial_accumulator;
    default:
      return 0.0;
  }
}

/// What the rules read, in the type they compute in; made on the host, in double, once per update.
template <class T>
struct RuleScalars {
  T rate;          ///< learning rate, for adam with the bias correction
  T first_decay;   ///< momentum, beta1 or rho
  T first_rest;    ///< 1 - first_decay
  T second_decay;  ///< rmsprop's decay or beta2
  T second_rest;   ///< 1 - second_decay
  T epsilon;
  T power;   ///< ftrl: -learning_rate_power
  T l1, l2;  ///< ftrl
};

/// The factor of adam's step: learning_rate * sqrt(1 - beta2^t) / (1 - beta1^t), with t = updates + 1 where
/// 'updates' were applied before this one; learning_rate itself for every rule without bias correction.
inline double corrected_rate(const OptimizerParameters& p, double learning_rate, std::int64_t updates) {
  const bool corrected =
      p.rule == OptimizerRule::adam ||
      (p.rule == OptimizerRule::adam_weight_decay && p.weight_decay_bias_correction == BiasCorrection::on);
  if (!corrected) return learning_rate;
  const auto t = static_cast<double>(updates + 1);
  return learning_rate * std::sqrt(1 - std::pow(p.adam_beta2, t)) / (1 - std::pow(p.adam_beta1, t));
}

/// @param rate result of corrected_rate().
template <class T>
constexpr RuleScalars<T> rule_scalars(const OptimizerParameters& p, double rate) {
  double first = 0;
  double second = 0;
  switch (p.rule) {
    case OptimizerRule::momentum:
      first = p.momentum;
      break;
    case OptimizerRule::rmsprop:
      first = p.rmsprop_momentum;
      second = p.rmsprop_decay;
      break;
    case OptimizerRule::adam:
    case OptimizerRule::adam_weight_decay:
      first = p.adam_beta1;
      second = p.adam_beta2;
      break;
    case OptimizerRule::adadelta:
      first = p.adadelta_rho;
      break;
    default:
      break;
  }
  return {.rate = static_cast<T>(rate),
          .first_decay = static_cast<T>(first),
          .first_rest = static_cast<T>(1 - first),
          .second_decay = static_cast<T>(second),
          .second_rest = static_cast<T>(1 - second),
          .epsilon = static_cast<T>(p.epsilon),
          .power = static_cast<T>(-p.ftrl_learning_rate_power),
          .l1 = static_cast<T>(p.ftrl_l1),
          .l2 = static_cast<T>(p.ftrl_l2)};
}

// The rules. Each updates one weight and its slots for one gradient; formulas and slot order are those of
// TensorFlow 1.x (tf.train.*Optimizer), adam_weight_decay of FastNN. constexpr lets device code call them.

/// w -= lr * g
struct SgdRule {
  static constexpr int kSlots = 0;
  template <class T>
  static constexpr void apply(T& weight, T gradient, T&, T&, const RuleScalars<T>& s) {
    weight -= s.rate * gradient;
  }
};

/// a = m * a + g; w -= lr * a. Slot: a.
struct MomentumRule {
  static constexpr int kSlots = 1;
  template <class T>
  static constexpr void apply(T& weight, T gradient, T& accumulated, T&, const RuleScalars<T>& s) {
    accumulated = s.first_decay * accumulated + gradient;
    weight -= s.rate * accumulated;
  }
};

/// a = m * a + g; w -= lr * (g + m * a). Slot: a. TensorFlow's use_nesterov.
struct NesterovRule {
  static constexpr int kSlots = 1;
  template <class T>
  static constexpr void apply(T& weight, T gradient, T& accumulated, T&, const RuleScalars<T>& s) {
    accumulated = s.first_decay * accumulated + gradient;
    weight -= s.rate * (gradient + s.first_decay * accumulated);
  }
};

/// ms = d * ms + (1 - d) * g^2; mom = m * mom + lr * g / sqrt(ms + eps); w -= mom. Slots: ms, mom.
struct RmspropRule {
  static constexpr int kSlots = 2;
  template <class T>
  static constexpr void apply(T& weight, T gradient, T& mean_square, T& moment, const RuleScalars<T>& s) {
    mean_square = s.second_decay * mean_square + s.second_rest * gradient * gradient;
    moment = s.first_decay * moment + s.rate * gradient / std::sqrt(mean_square + s.epsilon);
    weight -= moment;
  }
};

/// m = b1 * m + (1 - b1) * g; v = b2 * v + (1 - b2) * g^2; w -= rate * m / (sqrt(v) + eps). Slots: m, v.
/// Serves adam and adam_weight_decay, which differ in the rate and in the decoupled decay of the segments.
struct AdamRule {
  static constexpr int kSlots = 2;
  template <class T>
  static constexpr void apply(T& weight, T gradient, T& first, T& second, const RuleScalars<T>& s) {
    first = s.first_decay * first + s.first_rest * gradient;
    second = s.second_decay * second + s.second_rest * gradient * gradient;
    weight -= s.rate * first / (std::sqrt(second) + s.epsilon);
  }
};

/// acc += g^2; w -= lr * g / sqrt(acc). Slot: acc.
struct AdagradRule {
  static constexpr int kSlots = 1;
  template <class T>
  static constexpr void apply(T& weight, T gradient, T& squares, T&, const RuleScalars<T>& s) {
    squares += gradient * gradient;
    weight -= s.rate * gradient / std::sqrt(squares);
  }
};

/// acc = rho * acc + (1 - rho) * g^2; u = sqrt(acc_u + eps) / sqrt(acc + eps) * g;
/// acc_u = rho * acc_u + (1 - rho) * u^2; w -= lr * u. Slots: acc, acc_u.
struct AdadeltaRule {
  static constexpr int kSlots = 2;
  template <class T>
  static constexpr void apply(T& weight, T gradient, T& squares, T& updates, const RuleScalars<T>& s) {
    squares = s.first_decay * squares + s.first_rest * gradient * gradient;
    const T update = std::sqrt(updates + s.epsilon) / std::sqrt(squares + s.epsilon) * gradient;
    updates = s.first_decay * updates + s.first_rest * update * update;
    weight -= s.rate * update;
  }
};

/// Powers of ftrl's accumulator: any, and the default 0.5 as a square root, which vectorises.
struct AnyPower {
  template <class T>
  static constexpr T of(T base, T power) {
    return std::pow(base, power);
  }
};
struct SquareRoot {
  template <class T>
  static constexpr T of(T base, T) {
    return std::sqrt(base);
  }
};

/// n' = n + g^2; z += g - (n'^p - n^p) / lr * w; w = |z| <= l1 ? 0 : (sign(z) * l1 - z) / (n'^p / lr + 2 *
/// l2) with p = -learning_rate_power. Slots: n, z.
template <class Power>
struct FtrlRule {
  static constexpr int kSlots = 2;
  template <class T>
  static constexpr void apply(T& weight, T gradient, T& squares, T& linear, const RuleScalars<T>& s) {
    const T accumulator = squares + gradient * gradient;
    const T new_power = Power::of(accumulator, s.power);
    linear += gradient - (new_power - Power::of(squares, s.power)) / s.rate * weight;
    squares = accumulator;
    const T shrunk = std::copysign(s.l1, linear) - linear;
    const T moved = shrunk / (new_power / s.rate + 2 * s.l2);
    weight = std::abs(linear) <= s.l1 ? T{0} : moved;
  }
};

/// Calls f(rule) with the rule's type: the one switch over rules.
template <class F>
void with_rule(const OptimizerParameters& parameters, F&& f) {
  switch (parameters.rule) {
    case OptimizerRule::sgd:
      return f(SgdRule{});
    case OptimizerRule::momentum:
      if (parameters.nesterov == Nesterov::on) return f(NesterovRule{});
      return f(MomentumRule{});
    case OptimizerRule::rmsprop:
      return f(RmspropRule{});
    case OptimizerRule::adam:
    case OptimizerRule::adam_weight_decay:
      return f(AdamRule{});
    case OptimizerRule::adagrad:
      return f(AdagradRule{});
    case OptimizerRule::adadelta:
      return f(AdadeltaRule{});
    case OptimizerRule::ftrl:
      if (parameters.ftrl_learning_rate_power == -0.5) return f(FtrlRule<SquareRoot>{});
      return f(FtrlRule<AnyPower>{});
  }
}

}  // namespace fastnn::kernels
