#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/net_run.h"
#include "bench/protocol.h"

namespace fastnn::bench {

/// Time of one kind of work in a step.
struct StepRow {
  /// Operation kind; or data, prepare, update: the phases without launches of their own.
  std::string kind;
  std::string implementation;
  int launches = 0;
  double flops = 0;
  /// Of all operands, each once.
  double bytes = 0;
  Measurement time;
};

struct StepBenchResult {
  NetRunOptions options;
  /// The profiled step as a whole.
  Measurement step;
  /// The longest first.
  std::vector<StepRow> rows;
};

/// Measures where the time of a training step goes, by operation kind and implementation. Every step is
/// profiled: the whole is a little slower than 'fastnn-bench nets' says.
/// @param trace file for the last step in Chrome's trace format. Throws what TrainingRun throws, and
/// EnvironmentError if the trace cannot be written.
StepBenchResult bench_step(const NetRunOptions& options, Device& device, const ProtocolOptions& protocol,
                           const std::optional<std::filesystem::path>& trace);

}  // namespace fastnn::bench
