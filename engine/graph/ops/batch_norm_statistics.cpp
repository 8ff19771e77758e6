#include "engine/graph/ops/batch_norm_statistics.h"

#include "engine/graph/ops/channels.h"

namespace fastnn {
namespace {

double positive(double epsilon) {
  if (!(epsilon > 0)) throw UsageError("[batch_norm] epsilon must be above 0, got {}", epsilon);
  return epsilon;
}

}  // namespace

BatchNormStatistics::BatchNormStatistics(double epsilon) : epsilon_(positive(epsilon)) {}

std::vector<OperandSpec> BatchNormStatistics::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  require_per_channel(kind(), inputs[0], {});
  const OperandSpec per_channel{Shape{inputs[0].shape[-1]}};
  return {per_channel, per_channel, per_channel};
}

double BatchNormStatistics::flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec>) const {
  return 4.0 * static_cast<double>(inputs[0].shape.elements());
}

BatchNormRstd::BatchNormRstd(double epsilon) : epsilon_(positive(epsilon)) {}

std::vector<OperandSpec> BatchNormRstd::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  return {inputs[0]};
}

}  // namespace fastnn
