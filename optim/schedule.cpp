#include "optim/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/names.h"

namespace fastnn::optim {
namespace {

constexpr std::array<std::string_view, 3> kTypes{"fixed", "exponential", "polynomial"};
constexpr std::array<std::string_view, 2> kWarmups{"t2t", "linear"};
constexpr std::array<std::string_view, 4> kSchemes{"", "luong5", "luong10", "luong234"};

constexpr double kFactorByEpochs = 0.94;
constexpr double kFactorOfLuong = 0.5;
constexpr double kWarmupStart = 0.01;
constexpr std::int64_t kChangesShown = 4;

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
      "[schedule] learning_rate_decay_factor must be above 0 and at most 1; got {}; set "
      "--learning_rate_decay_factor",
      factor);
}

}  // namespace

Schedule::Schedule(const ScheduleOptions& options)
    : type_(
          static_cast<Type>(index_of("learning_rate_decay_type", options.learning_rate_decay_type, kTypes))),
      warmup_(static_cast<Warmup>(index_of("warmup_scheme", options.warmup_scheme, kWarmups))),
      learning_rate_(options.learning_rate),
      end_learning_rate_(options.end_learning_rate),
      factor_(checked_factor(options)),
      warmup_steps_(std::max(options.warmup_steps, std::int64_t{0})),
      stop_at_step_(options.stop_at_step) {
  index_of("decay_scheme", options.decay_scheme, kSchemes);
  require_positive("learning_rate", learning_rate_);
  if (!std::isfinite(end_learning_rate_) || end_learning_rate_ < 0)
    throw UsageError(
        "[schedule] end_learning_rate must be at least 0 and finite; got {}; set --end_learning_rate",
        end_learning_rate_);
  require_at_least_one("stop_at_step", stop_at_step_);
  if (type_ == Type::fixed) return;
  if (options.decay_scheme.empty())
    set_decay_by_epochs(options);
  else
    set_luong_decay(options);
}

void Schedule::set_decay_by_epochs(const ScheduleOptions& options) {
  require_at_least_one("num_sample_per_epoch", options.num_sample_per_epoch);
  require_at_least_one("batch_size", options.samples_per_step);
  require_positive("num_epochs_per_decay", options.num_epochs_per_decay);
  const double steps = static_cast<double>(options.num_sample_per_epoch) /
                       static_cast<double>(options.samples_per_step) * options.num_epochs_per_decay;
  constexpr double kMostSteps = 1e18;
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

double Schedule::base(std::int64_t step) const {
  if (step >= warmup_steps_) return learning_rate_;
  const double done = static_cast<double>(step) / static_cast<double>(warmup_steps_);
  const double left = static_cast<double>(warmup_steps_ - step) / static_cast<double>(warmup_steps_);
  return learning_rate_ *
         (warmup_ == Warmup::t2t ? std::pow(kWarmupStart, left) : kWarmupStart + (1 - kWarmupStart) * done);
}

double Schedule::at(std::int64_t step) const {
  const std::int64_t decayed = std::max(step - start_, std::int64_t{0});
  switch (type_) {
    case Type::fixed:
      return base(step);
    case Type::exponential:
      return base(step) * std::pow(factor_, static_cast<double>(decayed / interval_));
    case Type::polynomial:
      break;
  }
  const double part = static_cast<double>(std::min(decayed, length_)) / static_cast<double>(length_);
  return (base(step) - end_learning_rate_) * (1 - part) + end_learning_rate_;
}

std::string Schedule::describe() const {
  return rule_text() + "\n" + changes_text();
}

std::string Schedule::rule_text() const {
  std::string text =
      fmt::format("learning rate {:g}, {}", learning_rate_, kTypes[static_cast<std::size_t>(type_)]);
  if (type_ == Type::exponential)
    text += fmt::format(": x {:g} every {} steps from step {} on ({})", factor_, interval_, start_, origin_);
  if (type_ == Type::polynomial)
    text += fmt::format(": linear to {:g} from step {} to {} ({})", end_learning_rate_, start_,
                        start_ + length_, origin_);
  if (warmup_steps_ > 0)
    text += fmt::format("; {} warm-up from {:g} over {} steps", kWarmups[static_cast<std::size_t>(warmup_)],
                        learning_rate_ * kWarmupStart, warmup_steps_);
  return text;
}

std::string Schedule::changes_text() const {
  const std::int64_t last = stop_at_step_ - 1;
  std::string text = fmt::format("rate at step 0: {:g}", at(0));
  const auto add = [&](std::int64_t step) { text += fmt::format(", {}: {:g}", step, at(step)); };
  if (warmup_steps_ > 0 && warmup_steps_ < last) add(warmup_steps_);
  const std::int64_t changes =
      type_ == Type::exponential ? std::max(last - start_, std::int64_t{0}) / interval_ : 0;
  for (std::int64_t change = 1; change <= std::min(changes, kChangesShown); ++change)
    add(start_ + change * interval_);
  if (changes > kChangesShown) text += fmt::format(", ... ({} changes)", changes);
  return text + fmt::format(", last step {}: {:g}", last, at(last));
}

}  // namespace fastnn::optim
