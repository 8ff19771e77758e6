#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "bench/protocol.h"
#include "engine/device/device.h"
#include "engine/plan/plan.h"

namespace fastnn::bench {

struct NetBenchOptions {
  std::string model_name = "lenet";
  std::int64_t batch_size = 32;
  std::int64_t num_classes = 1000;
  /// 0: the net's own.
  std::int64_t image_size = 0;
  std::string optimizer = "momentum";
  ProtocolOptions protocol;
  /// Steps of the separate profiled run that splits forward from backward.
  int profiled_steps = 3;
};

/// Mean seconds of the parts of a training step.
struct StepSplit {
  /// Copying a batch from memory into the plan's inputs, as the trainer does.
  double data = 0;
  double prepare = 0;
  double forward = 0;
  double backward = 0;
  double update = 0;
};

/// Seconds of the launches of one operation kind and implementation in a step.
struct KindTime {
  double seconds = 0;
  double flops = 0;
  double bytes = 0;
  int launches = 0;
};

struct NetResult {
  NetBenchOptions options;
  /// Height and width of the images.
  std::int64_t image_size = 0;
  Measurement training;
  Measurement inference;
  /// From steps of their own, since timing each launch costs a little.
  StepSplit split;
  /// By "kind: implementation".
  std::map<std::string, KindTime> kinds;
  PlanMemory training_memory;
  PlanMemory inference_memory;
  std::size_t state_bytes = 0;

  double training_rate() const { return static_cast<double>(options.batch_size) / training.median; }
  double inference_rate() const { return static_cast<double>(options.batch_size) / inference.median; }
};

/// Trains and evaluates a net on one random batch that is copied in anew for each step. Throws what
/// build_network throws.
NetResult bench_net(const NetBenchOptions& options, Device& device);

}  // namespace fastnn::bench
