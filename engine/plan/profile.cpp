#include "engine/plan/profile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"

namespace fastnn {

void Profile::clear() {
  std::ranges::fill(seconds_, 0.0);
  runs_ = 0;
}

void Profile::write_chrome_trace(const std::filesystem::path& file, std::int64_t step) const {
  nlohmann::json events = nlohmann::json::array();
  double start = 0;
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const LaunchInfo& launch = launches_[i];
    const double microseconds = seconds(i) * 1e6;
    events.push_back({{"ph", "X"},
                      {"pid", 0},
                      {"tid", 0},
                      {"ts", start},
                      {"dur", microseconds},
                      {"name", launch.name},
                      {"cat", launch.kind},
                      {"args",
                       {{"implementation", launch.implementation},
                        {"gflop_per_s", microseconds > 0 ? launch.cost.flops / microseconds * 1e-3 : 0},
                        {"gbyte_per_s", microseconds > 0 ? launch.cost.bytes() / microseconds * 1e-3 : 0}}}});
    start += microseconds;
  }
  std::ofstream stream(file);
  stream << nlohmann::json{{"traceEvents", events}, {"otherData", {{"step", step}}}}.dump(1) << '\n';
  stream.close();
  if (!stream) throw EnvironmentError("[profile] cannot write {}: {}", file.string(), std::strerror(errno));
}

}  // namespace fastnn
