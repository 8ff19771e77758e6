#include "bench/step_bench.h"

#include <algorithm>
#include <functional>

namespace fastnn::bench {
namespace {

/// Rows of a step, and which of them each launch belongs to.
struct Grouping {
  /// The first are the phases without launches.
  std::vector<StepRow> rows = {{.kind = "data"}, {.kind = "prepare"}, {.kind = "update"}};
  std::vector<std::size_t> row_of_launch;
};

Grouping group(const std::vector<LaunchInfo>& launches) {
  Grouping grouping;
  for (const LaunchInfo& launch : launches) {
    auto row = std::ranges::find_if(grouping.rows, [&](const StepRow& known) {
      return known.kind == launch.kind && known.implementation == launch.implementation;
    });
    if (row == grouping.rows.end())
      row = grouping.rows.insert(row, {.kind = launch.kind, .implementation = launch.implementation});
    ++row->launches;
    row->flops += launch.cost.flops;
    row->bytes += launch.cost.bytes();
    grouping.row_of_launch.push_back(static_cast<std::size_t>(row - grouping.rows.begin()));
  }
  return grouping;
}

}  // namespace

StepBenchResult bench_step(const NetRunOptions& options, Device& device, const ProtocolOptions& protocol,
                           const std::optional<std::filesystem::path>& trace) {
  TrainingRun run(options, device);
  Profile profile(run.plan().launches());
  Grouping grouping = group(profile.launches());
  const auto call = [&](std::span<double> seconds) {
    const StepSplit split = run.profiled_step(profile);
    seconds[0] += split.data;
    seconds[1] += split.prepare;
    seconds[2] += split.update;
    for (std::size_t i = 0; i < grouping.row_of_launch.size(); ++i)
      seconds[grouping.row_of_launch[i]] += profile.seconds(i);
  };
  const PartsMeasurement measured = measure_parts(call, grouping.rows.size(), protocol);
  for (std::size_t i = 0; i < grouping.rows.size(); ++i) grouping.rows[i].time = measured.parts[i];
  std::ranges::sort(grouping.rows, std::greater(), [](const StepRow& row) { return row.time.median; });
  if (trace) profile.write_chrome_trace(*trace, run.steps_done());
  return {options, measured.whole, std::move(grouping.rows)};
}

}  // namespace fastnn::bench
