#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>

namespace fastnn::bench {

/// Lets another program decide when steps run, so that it can alternate them with those of a rival: writes
/// "ready", then for every line read the mean seconds of 'steps' calls, until the input ends.
/// Before each turn 'untimed' calls use up what was made ready meanwhile.
void serve_steps(const std::function<void()>& step, std::int64_t steps, std::istream& in, std::ostream& out,
                 std::int64_t untimed = 0);

}  // namespace fastnn::bench
