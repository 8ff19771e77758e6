#include "optim/schedule.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/names.h"

namespace fastnn::optim {
namespace {

constexpr std::array<std::string_view, 6> kTypes{"fixed",  "exponential", "polynomial",
                                                 "cosine", "piecewise",   "one_cycle"};
constexpr std::array<std::string_view, 2> kWarmups{"t2t", "linear"};
constexpr std::array<std::string_view, 4> kSchemes{"", "luong5", "luong10", "luong234"};

constexpr double kEndRate = 0.0001;
constexpr double kFactorByEpochs = 0.94;
constexpr double kFactorOfLuong = 0.5;
constexpr double kWarmupStart = 0.01;
constexpr std::int64_t kChangesShown = 4;
/// Of PyTorch's OneCycleLR: div_factor and final_div_factor.
constexpr double kCycleStart = 1.0 / 25;
constexpr double kCycleEnd = 1e-4;
constexpr double kMostSteps = 1e18;

/// Start of a luong scheme as a fraction of the run, and into how many intervals the rest is cut.
struct Luong {
  std::string_view name;
  std::int64_t numerator, denominator, intervals;
};
constexpr std::array<Luong, 3> kLuong{{{"luong5", 1, 2, 5}, {"luong10", 1, 2, 10}, {"luong234", 2, 3, 4}}};

std::size_t index_of(std::string_view flag, std::string_view name, std::span<const std::string_view> known) {
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end())
    throw UsageError("[schedule] {}; set --{} to one of them", unknown_name(flag, name, known), flag);
  return static_cast<std::size_t>(found - known.begin());
}

void require_positive(std::string_view flag, double value) {
  if (std::isfinite(value) && value > 0) return;
  throw UsageError("[schedule] {} must be above 0 and finite; got {}; set --{}", flag, value, flag);
}

void require_at_least_one(std::string_view flag, std::int64_t value) {
  if (value < 1) throw UsageError("[schedule] {} must be at least 1; got {}; set --{}", flag, value, flag);
}

double checked_factor(const ScheduleOptions& options) {
  const double factor = options.learning_rate_decay_factor.value_or(
      options.decay_scheme.empty() ? kFactorByEpochs : kFactorOfLuong);
  if (factor > 0 && factor <= 1) return factor;
  throw UsageError(
      "[schedule] learning_rate_decay_factor must be above 0 and at most 1; got {}; set --learning_rate_decay_factor",
      factor);
}

/// From 'from' to 'to' while part goes from 0 to 1, level at both ends.
double half_cosine(double from, double to, double part) {
  return (from - to) * (0.5 * (1 + std::cos(std::numbers::pi * part))) + to;
}

double share(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(std::clamp(part, std::int64_t{0}, whole)) / static_cast<double>(whole);
}

}  // namespace

Schedule::Schedule(const ScheduleOptions& options)
    : type_(
          static_cast<Type>(index_of("learning_rate_decay_type", options.learning_rate_decay_type, kTypes))),
      warmup_(static_cast<Warmup>(index_of("warmup_scheme", options.warmup_scheme, kWarmups))),
      learning_rate_(options.learning_rate),
      factor_(checked_factor(options)),
      warmup_steps_(std::max(options.warmup_steps, std::int64_t{0})),
      stop_at_step_(options.stop_at_step) {
  index_of("decay_scheme", options.decay_scheme, kSchemes);
  require_positive("learning_rate", learning_rate_);
  require_at_least_one("stop_at_step", stop_at_step_);
  end_learning_rate_ =
      options.end_learning_rate.value_or(type_ == Type::cosine      ? 0
                                         : type_ == Type::one_cycle ? learning_rate_ * kCycleStart * kCycleEnd
                                                                    : kEndRate);
  if (!std::isfinite(end_learning_rate_) || end_learning_rate_ < 0)
    throw UsageError(
        "[schedule] end_learning_rate must be at least 0 and finite; got {}; set --end_learning_rate",
        end_learning_rate_);
  set_decay(options);
  scale(options);
}

void Schedule::set_decay(const ScheduleOptions& options) {
  if (type_ == Type::fixed) return;
  if (type_ == Type::piecewise) return set_pieces(options);
  if (type_ == Type::one_cycle) return set_cycle(options);
  if (!options.decay_scheme.empty()) return set_luong_decay(options);
  if (!options.learning_rate_decay_steps && type_ != Type::cosine) return set_decay_by_epochs(options);
  length_ = options.learning_rate_decay_steps.value_or(stop_at_step_);
  require_at_least_one("learning_rate_decay_steps", length_);
  interval_ = length_;
  origin_ = options.learning_rate_decay_steps ? "learning_rate_decay_steps" : "the whole run";
}

void Schedule::set_decay_by_epochs(const ScheduleOptions& options) {
  require_at_least_one("num_sample_per_epoch", options.num_sample_per_epoch);
  require_at_least_one("batch_size", options.samples_per_step);
  require_positive("num_epochs_per_decay", options.num_epochs_per_decay);
  const double steps = static_cast<double>(options.num_sample_per_epoch) /
                       static_cast<double>(options.samples_per_step) * options.num_epochs_per_decay;
  interval_ = static_cast<std::int64_t>(std::clamp(steps, 1.0, kMostSteps));
  length_ = interval_;
  origin_ = fmt::format("{} epochs of {} samples, {} a step", options.num_epochs_per_decay,
                        options.num_sample_per_epoch, options.samples_per_step);
}

void Schedule::set_luong_decay(const ScheduleOptions& options) {
  const Luong& luong = *std::find_if(kLuong.begin(), kLuong.end(), [&options](const Luong& candidate) {
    return candidate.name == options.decay_scheme;
  });
  const std::int64_t whole = stop_at_step_ / luong.denominator;
  const std::int64_t rest = stop_at_step_ % luong.denominator;
  start_ = whole * luong.numerator + rest * luong.numerator / luong.denominator;
  length_ = stop_at_step_ - start_;
  interval_ = std::max(length_ / luong.intervals, std::int64_t{1});
  origin_ = fmt::format("{} of {} steps", luong.name, stop_at_step_);
}

void Schedule::set_pieces(const ScheduleOptions& options) {
  boundaries_ = options.learning_rate_boundaries;
  values_ = options.learning_rate_values;
  if (values_.size() != boundaries_.size() + 1)
    throw UsageError(
        "[schedule] learning_rate_values must be one more than the learning_rate_boundaries between them; "
        "got {} "
        "and {}; set --learning_rate_values=0.1,0.01,0.001 --learning_rate_boundaries=1000,2000 in this form",
        values_.size(), boundaries_.size());
  for (const double value : values_) require_positive("learning_rate_values", value);
  const auto unordered = std::ranges::adjacent_find(boundaries_, std::ranges::greater_equal());
  if (unordered != boundaries_.end() || (!boundaries_.empty() && boundaries_[0] < 0))
    throw UsageError(
        "[schedule] learning_rate_boundaries must ascend from 0 or more; got {}; set "
        "--learning_rate_boundaries",
        fmt::join(boundaries_, ","));
}

void Schedule::set_cycle(const ScheduleOptions& options) {
  if (!(options.one_cycle_rise > 0 && options.one_cycle_rise < 1))
    throw UsageError("[schedule] one_cycle_rise must be above 0 and below 1; got {}; set --one_cycle_rise",
                     options.one_cycle_rise);
  start_ = static_cast<std::int64_t>(options.one_cycle_rise * static_cast<double>(stop_at_step_));
  length_ = std::max(stop_at_step_ - 1 - start_, std::int64_t{1});
  momentum_ = options.momentum;
  least_momentum_ = options.one_cycle_momentum;
  if (least_momentum_ && !(*least_momentum_ >= 0 && *least_momentum_ < 1))
    throw UsageError(
        "[schedule] one_cycle_momentum must be at least 0 and below 1; got {}; set --one_cycle_momentum",
        *least_momentum_);
}

void Schedule::scale(const ScheduleOptions& options) {
  if (!options.base_batch_size) return;
  require_at_least_one("base_batch_size", *options.base_batch_size);
  require_at_least_one("batch_size", options.samples_per_step);
  const double factor =
      static_cast<double>(options.samples_per_step) / static_cast<double>(*options.base_batch_size);
  learning_rate_ *= factor;
  end_learning_rate_ *= factor;
  for (double& value : values_) value *= factor;
  scaling_ = fmt::format("; all rates x {:g}: {} samples a step, base_batch_size {}", factor,
                         options.samples_per_step, *options.base_batch_size);
}

double Schedule::warmup(std::int64_t step) const {
  if (step >= warmup_steps_) return 1;
  const double done = static_cast<double>(step) / static_cast<double>(warmup_steps_);
  const double left = static_cast<double>(warmup_steps_ - step) / static_cast<double>(warmup_steps_);
  return warmup_ == Warmup::t2t ? std::pow(kWarmupStart, left) : kWarmupStart + (1 - kWarmupStart) * done;
}

double Schedule::at(std::int64_t step) const {
  const double base = learning_rate_ * warmup(step);
  const std::int64_t decayed = std::max(step - start_, std::int64_t{0});
  switch (type_) {
    case Type::fixed:
      return base;
    case Type::exponential:
      return base * std::pow(factor_, static_cast<double>(decayed / interval_));
    case Type::polynomial:
      return (base - end_learning_rate_) * (1 - share(decayed, length_)) + end_learning_rate_;
    case Type::cosine:
      return half_cosine(base, end_learning_rate_, share(decayed, length_));
    case Type::piecewise:
      return piece(step) * warmup(step);
    case Type::one_cycle:
      return step < start_ ? half_cosine(base * kCycleStart, base, share(step, start_))
                           : half_cosine(base, end_learning_rate_, share(decayed, length_));
  }
  return base;
}

std::optional<double> Schedule::momentum_at(std::int64_t step) const {
  if (!least_momentum_) return std::nullopt;
  return step < start_ ? half_cosine(momentum_, *least_momentum_, share(step, start_))
                       : half_cosine(*least_momentum_, momentum_, share(step - start_, length_));
}

double Schedule::piece(std::int64_t step) const {
  const auto next = std::ranges::lower_bound(boundaries_, step);
  return values_[static_cast<std::size_t>(next - boundaries_.begin())];
}

std::string Schedule::describe() const {
  return rule_text() + "\n" + changes_text();
}

std::string Schedule::rule_text() const {
  std::string text =
      type_ == Type::piecewise
          ? fmt::format("learning rate, piecewise: {:g} up to steps {}", fmt::join(values_, ", "),
                        fmt::join(boundaries_, ", "))
          : fmt::format("learning rate {:g}, {}", learning_rate_, kTypes[static_cast<std::size_t>(type_)]);
  text += decay_text();
  const double first = type_ == Type::piecewise ? values_.front() : learning_rate_;
  if (warmup_steps_ > 0)
    text += fmt::format("; {} warm-up from {:g} over {} steps", kWarmups[static_cast<std::size_t>(warmup_)],
                        first * kWarmupStart, warmup_steps_);
  return text + scaling_;
}

std::string Schedule::decay_text() const {
  switch (type_) {
    case Type::exponential:
      return fmt::format(": x {:g} every {} steps from step {} on ({})", factor_, interval_, start_, origin_);
    case Type::polynomial:
    case Type::cosine:
      return fmt::format(": {} to {:g} from step {} to {} ({})",
                         type_ == Type::cosine ? "half a cosine" : "linear", end_learning_rate_, start_,
                         start_ + length_, origin_);
    case Type::one_cycle:
      return fmt::format(
          ": from {:g} up to step {}, then down to {:g}{}", learning_rate_ * kCycleStart, start_,
          end_learning_rate_,
          least_momentum_ ? fmt::format("; momentum from {:g} to {:g} and back", momentum_, *least_momentum_)
                          : "");
    case Type::fixed:
    case Type::piecewise:
      break;
  }
  return "";
}

std::int64_t Schedule::changes() const {
  const std::int64_t last = stop_at_step_ - 1;
  if (type_ == Type::exponential) return std::max(last - start_, std::int64_t{0}) / interval_;
  if (type_ == Type::one_cycle) return start_ > 0 ? 1 : 0;
  return std::ranges::lower_bound(boundaries_, last) - boundaries_.begin();
}

std::int64_t Schedule::change(std::int64_t number) const {
  if (type_ == Type::piecewise) return boundaries_[static_cast<std::size_t>(number - 1)] + 1;
  return type_ == Type::one_cycle ? start_ : start_ + number * interval_;
}

std::string Schedule::changes_text() const {
  const std::int64_t last = stop_at_step_ - 1;
  std::string text = fmt::format("rate at step 0: {:g}", at(0));
  const auto add = [&](std::int64_t step) { text += fmt::format(", {}: {:g}", step, at(step)); };
  if (warmup_steps_ > 0 && warmup_steps_ < last) add(warmup_steps_);
  for (std::int64_t number = 1; number <= std::min(changes(), kChangesShown); ++number) add(change(number));
  if (changes() > kChangesShown) text += fmt::format(", ... ({} changes)", changes());
  return text + fmt::format(", last step {}: {:g}", last, at(last));
}

}  // namespace fastnn::optim
