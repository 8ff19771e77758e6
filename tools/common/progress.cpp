#include "tools/common/progress.h"

#include <fmt/format.h>

#include <cmath>

namespace fastnn::tools {

std::string duration_text(std::chrono::duration<double> duration) {
  const auto seconds = static_cast<std::int64_t>(std::llround(duration.count()));
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  if (seconds < 86400) return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
  return fmt::format("{} d {} h", seconds / 86400, seconds % 86400 / 3600);
}

std::string progress_text(const ProgressOptions& options, std::int64_t done,
                          std::chrono::duration<double> elapsed) {
  std::string text = fmt::format("{} {}", options.step_name, done);
  if (options.total > 0) text += fmt::format("/{} ({} %)", options.total, 100 * done / options.total);
  const auto here = static_cast<double>(done - options.start);
  if (here <= 0 || elapsed.count() <= 0) return text;
  const double steps_per_second = here / elapsed.count();
  text += fmt::format("  {:.1f} {}/s", steps_per_second * static_cast<double>(options.samples_per_step),
                      options.sample_name);
  if (options.total <= done) return text;
  const std::chrono::duration<double> left(static_cast<double>(options.total - done) / steps_per_second);
  return text + fmt::format("  {} left", duration_text(left));
}

ProgressLine::ProgressLine(ConsoleLog& log, ProgressOptions options)
    : log_(log), options_(std::move(options)) {}

ProgressLine::~ProgressLine() {
  log_.transient("");
}

void ProgressLine::update(std::int64_t done) {
  constexpr std::chrono::milliseconds kInterval(200);
  const Clock::time_point now = Clock::now();
  if (!log_.is_terminal() || now - shown_ < kInterval) return;
  shown_ = now;
  log_.transient(progress_text(options_, done, now - begin_));
}

}  // namespace fastnn::tools
