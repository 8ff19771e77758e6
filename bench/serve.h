#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>

namespace fastnn::bench {

/// Lets another program decide when steps run, so that it can alternate them with those of a rival: writes
/// "ready", then for every line read the mean seconds of 'steps' calls, until the input ends.
void serve_steps(const std::function<void()>& step, std::int64_t steps, std::istream& in, std::ostream& out);

}  // namespace fastnn::bench
