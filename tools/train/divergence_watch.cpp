#include "tools/train/divergence_watch.h"

#include <fmt/format.h>

#include <cmath>

namespace fastnn::tools {
namespace {

constexpr double kTimesGuessing = 100;

}  // namespace

DivergenceWatch::DivergenceWatch(std::int64_t classes)
    : limit_(kTimesGuessing * std::log(static_cast<double>(classes))) {}

std::string DivergenceWatch::add(double cross_entropy) {
  if (steps_above_ == kSteps) return "";
  steps_above_ = cross_entropy > limit_ ? steps_above_ + 1 : 0;
  if (steps_above_ < kSteps) return "";
  return fmt::format(
      "[train] the model has diverged: in the last {} logged steps the cross-entropy was above {:.4g}, 100 "
      "times that of guessing (the last: {:.4g}); the run goes on, but will hardly learn; try a lower "
      "learning_rate, max_gradient_norm or warmup_steps",
      kSteps, limit_, cross_entropy);
}

}  // namespace fastnn::tools
