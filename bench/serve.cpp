#include "bench/serve.h"

#include <fmt/format.h>

#include <istream>
#include <ostream>
#include <string>

#include "engine/plan/profile.h"

namespace fastnn::bench {

void serve_steps(const std::function<void()>& step, std::int64_t steps, std::istream& in, std::ostream& out,
                 std::int64_t untimed) {
  out << "ready" << std::endl;
  for (std::string line; std::getline(in, line);) {
    for (std::int64_t i = 0; i < untimed; ++i) step();
    const double begin = seconds_now();
    for (std::int64_t i = 0; i < steps; ++i) step();
    out << fmt::format("{:.9f}", (seconds_now() - begin) / static_cast<double>(steps)) << std::endl;
  }
}

}  // namespace fastnn::bench
