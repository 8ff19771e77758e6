#include "optim/stop.h"

#include <fmt/format.h>

#include "engine/base/error.h"

namespace fastnn::optim {
namespace {

void require_positive(const char* flag, std::int64_t value) {
  if (value < 1) throw UsageError("[stop] {} must be at least 1; got {}; set --{}", flag, value, flag);
}

Stop stop_of_steps(std::int64_t steps) {
  require_positive("stop_at_step", steps);
  return {steps, fmt::format("stops at step {} (stop_at_step)", steps)};
}

Stop stop_of_epochs(std::int64_t epochs, std::int64_t samples_per_epoch, std::int64_t samples_per_step) {
  require_positive("num_epochs", epochs);
  require_positive("num_sample_per_epoch", samples_per_epoch);
  require_positive("batch_size", samples_per_step);
  std::int64_t samples = 0;
  if (__builtin_mul_overflow(epochs, samples_per_epoch, &samples))
    throw UsageError(
        "[stop] num_epochs {} of {} samples are more samples than can be counted; lower --num_epochs", epochs,
        samples_per_epoch);
  const std::int64_t steps = samples / samples_per_step;
  if (steps == 0)
    throw UsageError(
        "[stop] num_epochs must give at least one full batch; {} epochs of {} samples are fewer than the {} samples of a step; raise --num_epochs or lower --batch_size",
        epochs, samples_per_epoch, samples_per_step);
  const std::int64_t left = samples % samples_per_step;
  return {steps, fmt::format("stops at step {} (num_epochs: {} epochs of {} samples, {} a step{})", steps,
                             epochs, samples_per_epoch, samples_per_step,
                             left == 0 ? "" : fmt::format("; the last {} are not trained", left))};
}

}  // namespace

Stop stop_of(const StopOptions& options) {
  if (!options.stop_at_step && !options.num_epochs) {
    Stop stop = stop_of_steps(kDefaultStopAtStep);
    stop.reason += ", the default: neither stop_at_step nor num_epochs is set";
    return stop;
  }
  if (!options.num_epochs) return stop_of_steps(*options.stop_at_step);
  Stop epochs = stop_of_epochs(*options.num_epochs, options.samples_per_epoch, options.samples_per_step);
  if (!options.stop_at_step) return epochs;
  Stop steps = stop_of_steps(*options.stop_at_step);
  Stop& smaller = epochs.step < steps.step ? epochs : steps;
  const Stop& larger = epochs.step < steps.step ? steps : epochs;
  smaller.reason += fmt::format(", the smaller of both set: the other {}", larger.reason);
  return smaller;
}

}  // namespace fastnn::optim
