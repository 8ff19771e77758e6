#include "tools/train/step_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/plan/profile.h"
#include "tools/common/progress.h"

namespace fastnn::tools {
namespace {

/// Input takes so much of the time that more threads or a faster disk would pay.
constexpr double kInputBound = 0.2;

}  // namespace

std::string log_line(const StepFigures& f) {
  const double wait_share = f.seconds > 0 ? f.wait_seconds / f.seconds : 0;
  std::string line = fmt::format(
      "step {}: loss = {:.6g} (cross_entropy {:.6g} + l2 {:.6g}), accuracy = {:.4f}, learning_rate = {:.6g}, "
      "gradient_norm = {:.4g}, {:.1f} samples/s, {:.1f} % waiting for data, {} left",
      f.step, f.cross_entropy + f.l2_loss, f.cross_entropy, f.l2_loss, f.accuracy, f.learning_rate,
      f.gradient_norm, f.seconds > 0 ? static_cast<double>(f.samples) / f.seconds : 0, 100 * wait_share,
      duration_text(std::chrono::duration<double>(f.seconds_left)));
  if (wait_share > kInputBound)
    line += " (input-bound: more num_preprocessing_threads or a faster disk would help)";
  return line;
}

StepLog::StepLog(Log& log, std::int64_t every, std::int64_t first_step, std::int64_t last_step)
    : log_(log),
      every_(every),
      first_step_(first_step),
      last_step_(last_step),
      line_step_(first_step - 1),
      line_time_(seconds_now()) {}

bool StepLog::is_due(std::int64_t step) const {
  return step == first_step_ || step % every_ == 0 || step == last_step_;
}

void StepLog::write(StepFigures figures, double wait_seconds_total) {
  const double now = seconds_now();
  figures.samples = samples_;
  figures.seconds = now - line_time_;
  figures.wait_seconds = wait_seconds_total - line_wait_;
  const auto steps = std::max<std::int64_t>(figures.step - line_step_, 1);
  figures.seconds_left =
      figures.seconds / static_cast<double>(steps) * static_cast<double>(last_step_ - figures.step);
  log_.info(log_line(figures));
  samples_ = 0;
  line_step_ = figures.step;
  line_time_ = now;
  line_wait_ = wait_seconds_total;
}

}  // namespace fastnn::tools
