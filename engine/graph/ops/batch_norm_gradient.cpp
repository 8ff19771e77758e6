#include "engine/graph/ops/batch_norm_gradient.h"

#include "engine/graph/ops/channels.h"

namespace fastnn {

std::vector<OperandSpec> BatchNormGradientReduce::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 4);
  require_equal(kind(), inputs.first(2));
  require_per_channel(kind(), inputs[1], inputs.subspan(2));
  return {inputs[2], inputs[2]};
}

double BatchNormGradientReduce::flops(std::span<const OperandSpec> inputs,
                                      std::span<const OperandSpec>) const {
  return 4.0 * static_cast<double>(inputs[0].shape.elements());
}

std::vector<OperandSpec> BatchNormGradientApply::outputs(std::span<const OperandSpec> inputs) const {
  require_input_count(kind(), inputs.size(), 6, 1);
  require_equal(kind(), inputs.first(2));
  require_per_channel(kind(), inputs[1], inputs.subspan(2));
  return {inputs[0]};
}

double BatchNormGradientApply::flops(std::span<const OperandSpec> inputs,
                                     std::span<const OperandSpec>) const {
  return 5.0 * static_cast<double>(inputs[0].shape.elements());
}

std::vector<OperandSpec> BatchNormFixedGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_input_count(kind(), inputs.size(), 2, 1);
  require_per_channel(kind(), inputs[0], inputs.subspan(1));
  return {inputs[0]};
}

}  // namespace fastnn
