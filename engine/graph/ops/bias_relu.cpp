#include "engine/graph/ops/bias_relu.h"

#include "engine/graph/ops/channels.h"

namespace fastnn {

std::vector<OperandSpec> BiasRelu::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  require_per_channel(kind(), inputs[0], inputs.subspan(1));
  return {inputs[0]};
}

std::vector<OperandSpec> BiasReluGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  require_equal(kind(), inputs);
  return {inputs[0], {Shape{inputs[0].shape[-1]}}};
}

}  // namespace fastnn
