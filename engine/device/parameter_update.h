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
  /// Where the gradients of several micro-batches are added up, as long as 'gradients'; null where a step has
  /// one. The statistics and the update then take the sum.
  void* sum = nullptr;

  kernels::UpdateStep step;
  /// Written by the first launch, read by the second.
  kernels::GradientStatistics statistics;
};

struct ParameterUpdateLaunches {
  /// sum = gradients, and sum += gradients; only where there is a sum.
  Launch begin_sum;
  Launch add_to_sum;
  /// Norm of the gradients and the L2 loss of the weights before the update.
  Launch statistics;
  /// Changes weights and slots; nothing if the statistics are not finite.
  Launch update;
};

}  // namespace fastnn
