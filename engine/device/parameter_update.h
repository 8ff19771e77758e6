#pragma once

#include <array>
#include <vector>

#include "engine/device/lowering.h"
#include "kernels/optimizer_update.h"

namespace fastnn {

/// The update phase of a step: one optimizer over the flat buffers of a TrainState, whose elements have the
/// device's storage type of f32. Owned by the caller; launches made from it read 'step' and 'statistics' at
/// each run.
struct ParameterUpdate {
  kernels::OptimizerParameters parameters;
  std::vector<kernels::OptimizerSegment> segments;
  void* weights = nullptr;
  const void* gradients = nullptr;
  std::array<void*, kernels::kMaxSlots> slots = {};

  kernels::UpdateStep step;
  /// Written by the first launch, read by the second.
  kernels::GradientStatistics statistics;
};

struct ParameterUpdateLaunches {
  /// Norm of the gradients and the L2 loss of the weights before the update.
  Launch statistics;
  /// Changes weights and slots; nothing if the statistics are not finite.
  Launch update;
};

}  // namespace fastnn
