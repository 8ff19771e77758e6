#include "engine/graph/ops/moving_average_update.h"

#include "engine/graph/ops/channels.h"

namespace fastnn {

MovingAverageUpdate::MovingAverageUpdate(double decay) : decay_(decay) {
  if (!(decay >= 0 && decay <= 1))
    throw UsageError("[moving_average_update] decay must be in [0, 1], got {}", decay);
}

std::vector<OperandSpec> MovingAverageUpdate::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 4);
  require_equal(kind(), inputs);
  return {inputs[2], inputs[3]};
}

}  // namespace fastnn
