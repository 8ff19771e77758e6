#pragma once

#include <cstdint>

#include "bench/net_run.h"
#include "bench/protocol.h"

namespace fastnn::bench {

struct NetResult {
  NetRunOptions options;
  /// Height and width of the images.
  std::int64_t image_size = 0;
  Measurement training;
  Measurement inference;
  /// Medians of steps of their own, since timing each launch costs a little; those of 'training' are not
  /// profiled.
  StepSplit split;
  PlanMemory training_memory;
  PlanMemory inference_memory;
  std::size_t state_bytes = 0;
};

/// Measures steps of training and runs of inference. Throws what TrainingRun throws.
NetResult bench_net(const NetRunOptions& options, Device& device, const ProtocolOptions& protocol);

}  // namespace fastnn::bench
