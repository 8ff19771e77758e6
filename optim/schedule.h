#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace fastnn::optim {

/// The user's learning-rate flags of the same names, with FastNN's defaults.
struct ScheduleOptions {
  double learning_rate = 0.01;
  /// Where polynomial decay ends; may be above learning_rate.
  double end_learning_rate = 0.0001;
  /// fixed, exponential (always a staircase), polynomial (power 1, no cycle).
  std::string learning_rate_decay_type = "exponential";
  /// "" decays by epochs, as TF-Slim; luong5, luong10 and luong234 by fractions of stop_at_step.
  std::string decay_scheme = "";
  /// Of exponential decay: 0.94 unless set; 0.5 with luong*, which are meant to halve.
  std::optional<double> learning_rate_decay_factor = std::nullopt;
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
/// decay_scheme "": start = 0, interval = length = max(1, int(samples_per_epoch / samples_per_step *
/// epochs)). luong5, luong10: start = int(stop / 2), luong234: start = int(2 * stop / 3); interval = max(1,
/// int((stop - start) / n)) with n = 5, 10, 4; length = max(1, stop - start). Warm-up for s < W: t2t 0.01 ^
/// ((W - s) / W), linear 0.01 + 0.99 * s / W: both go from 1/100 at s = 0 to 1 at s = W. Applies to every
/// type. Beyond stop_at_step polynomial decay stays at its end and staircases go on; never NaN.
class Schedule {
 public:
  /// Throws UsageError for an unknown type, decay or warm-up scheme (naming the known ones) and for a number
  /// out of range, naming the flag.
  explicit Schedule(const ScheduleOptions& options);

  /// @param step at least 0.
  double at(std::int64_t step) const;

  /// The schedule in two lines: the rule; the steps of the run at which the rate changes, with the new rates.
  std::string describe() const;

 private:
  enum class Type { fixed, exponential, polynomial };
  enum class Warmup { t2t, linear };

  void set_decay_by_epochs(const ScheduleOptions& options);
  void set_luong_decay(const ScheduleOptions& options);
  double base(std::int64_t step) const;
  std::string rule_text() const;
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
  std::int64_t length_ = 1;
  std::string origin_;
};

}  // namespace fastnn::optim
