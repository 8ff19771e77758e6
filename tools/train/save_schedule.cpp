#include "tools/train/save_schedule.h"

namespace fastnn::tools {

bool SaveSchedule::is_due(std::int64_t step, double now) {
  const bool by_steps = options_.steps && step % *options_.steps == 0;
  const bool by_clock = options_.seconds && now - last_ >= *options_.seconds;
  if (by_steps || by_clock) last_ = now;
  return by_steps || by_clock;
}

}  // namespace fastnn::tools
