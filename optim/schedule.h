#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fastnn::optim {

/// The user's learning-rate flags of the same names, with FastNN's defaults.
struct ScheduleOptions {
  double learning_rate = 0.01;
  /// Where polynomial, cosine and one-cycle rates end; may be above learning_rate. Unless set: 0.0001, 0 and
  /// a 10,000th of where the cycle starts.
  std::optional<double> end_learning_rate = std::nullopt;
  /// fixed, exponential (always a staircase), polynomial (power 1, no cycle), cosine, piecewise, one_cycle.
  std::string learning_rate_decay_type = "exponential";
  /// "" decays by epochs, as TF-Slim; luong5, luong10 and luong234 by fractions of stop_at_step.
  std::string decay_scheme = "";
  /// Of exponential decay: 0.94 unless set; 0.5 with luong*, which are meant to halve.
  std::optional<double> learning_rate_decay_factor = std::nullopt;
  /// Steps between two exponential decays, or to the end of polynomial and cosine decay, while decay_scheme
  /// is "".
  std::optional<std::int64_t> learning_rate_decay_steps = std::nullopt;
  /// Of piecewise rates: the last steps of all values but the last, ascending.
  std::vector<std::int64_t> learning_rate_boundaries = {};
  std::vector<double> learning_rate_values = {};
  /// Of one-cycle rates: the share of the run in which the rate rises.
  double one_cycle_rise = 0.3;
  /// Of one-cycle rates: the momentum at the highest rate; unset: the momentum stays as it is.
  std::optional<double> one_cycle_momentum = std::nullopt;
  /// The optimizer's own, where a cycle begins and ends.
  double momentum = 0.9;
  /// All rates are those of so many samples a step: multiplied by samples_per_step /
  /// base_batch_size.
  std::optional<std::int64_t> base_batch_size = std::nullopt;
  /// 0 or less: no warm-up.
  std::int64_t warmup_steps = 0;
  /// t2t, linear.
  std::string warmup_scheme = "t2t";
  /// The step at which the run ends: Stop::step.
  std::int64_t stop_at_step = 100;
  /// Samples of an epoch and of a step (of all ranks and micro-batches), for decay by epochs.
  std::int64_t num_sample_per_epoch = 1000000;
  std::int64_t samples_per_step = 32;
  double num_epochs_per_decay = 2.0;
};

/// The learning rate as a pure function of the flags and of global_step: a resumed run sees the same rates.
///
/// With s = global_step before the update, in double, staircases by exact integer division:
///     base(s)     = learning_rate * warm-up(s)
///     fixed       = base(s)
///     exponential = base(s) * factor ^ floor(max(s - start, 0) / interval)
///     polynomial  = (base(s) - end) * (1 - q) + end,  q = clamp((s - start) / length, 0, 1)
///     cosine      = (base(s) - end) * (1 + cos(pi * q)) / 2 + end
///     piecewise   = values[number of boundaries below s] * warm-up(s)
///     one_cycle   = from base(s) / 25 to base(s) in the first 'rise' steps, then to end, both by half a
///     cosine
/// TensorFlow's cosine_decay with alpha = end / learning_rate, and piecewise_constant, whose boundaries
/// belong to the value before them. One cycle: Smith, arXiv:1803.09820, in the form of PyTorch's OneCycleLR.
///
/// decay_scheme "": start = 0, interval = length = learning_rate_decay_steps; unless set max(1,
/// int(samples_per_epoch / samples_per_step * epochs)), and for cosine stop_at_step. luong5, luong10: start =
/// int(stop / 2), luong234: start = int(2 * stop / 3); interval = max(1, int((stop - start) / n)) with n = 5,
/// 10, 4; length = max(1, stop - start). Warm-up for s < W: t2t 0.01 ^ ((W - s) / W), linear 0.01 + 0.99 * s
/// / W: both go from 1/100 at s = 0 to 1 at s = W. Applies to every type. Beyond stop_at_step staircases go
/// on, all else stays at its end; never NaN.
class Schedule {
 public:
  /// Throws UsageError for an unknown type, decay or warm-up scheme (naming the known ones) and for a number
  /// out of range, naming the flag.
  explicit Schedule(const ScheduleOptions& options);

  /// @param step at least 0.
  double at(std::int64_t step) const;

  /// The momentum of a step, where it goes against the rate: with a one-cycle rate and one_cycle_momentum,
  /// from momentum to that and back by half a cosine each. Empty: the optimizer's own.
  std::optional<double> momentum_at(std::int64_t step) const;

  /// The schedule in two lines: the rule; the steps of the run at which the rate changes, with the new rates.
  std::string describe() const;

 private:
  enum class Type { fixed, exponential, polynomial, cosine, piecewise, one_cycle };
  enum class Warmup { t2t, linear };

  void set_decay(const ScheduleOptions& options);
  void set_decay_by_epochs(const ScheduleOptions& options);
  void set_luong_decay(const ScheduleOptions& options);
  void set_pieces(const ScheduleOptions& options);
  void set_cycle(const ScheduleOptions& options);
  void scale(const ScheduleOptions& options);
  double warmup(std::int64_t step) const;
  double piece(std::int64_t step) const;
  /// How often another step or value begins within the run, and the step at which it does so for the
  /// number-th time, from 1.
  std::int64_t changes() const;
  std::int64_t change(std::int64_t number) const;
  std::string rule_text() const;
  std::string decay_text() const;
  std::string changes_text() const;

  Type type_ = Type::fixed;
  Warmup warmup_ = Warmup::t2t;
  double learning_rate_ = 0;
  double end_learning_rate_ = 0;
  double factor_ = 1;
  std::int64_t warmup_steps_ = 0;
  std::int64_t stop_at_step_ = 0;
  std::int64_t start_ = 0;
  std::int64_t interval_ = 1;
  /// Of what goes to end_learning_rate; of a cycle: of the part that falls.
  std::int64_t length_ = 1;
  double momentum_ = 0;
  std::optional<double> least_momentum_;
  std::vector<std::int64_t> boundaries_;
  std::vector<double> values_;
  std::string origin_;
  std::string scaling_;
};

}  // namespace fastnn::optim
