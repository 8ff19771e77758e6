#include "engine/graph/ops/batch_norm_fused.h"

#include "engine/graph/ops/channels.h"

namespace fastnn {

using kernels::ActivationMask;

std::vector<OperandSpec> BatchNormStatisticsUpdate::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 3);
  require_per_channel(kind(), inputs[0], inputs.subspan(1));
  return std::vector<OperandSpec>(5, inputs[1]);
}

double BatchNormStatisticsUpdate::flops(std::span<const OperandSpec> inputs,
                                        std::span<const OperandSpec>) const {
  return 4.0 * static_cast<double>(inputs[0].shape.elements());
}

std::string BatchNormApplyFused::attributes() const {
  return fmt::format("{}{}", epilogue_.residual ? "+ residual " : "", name_of(epilogue_.activation));
}

std::vector<OperandSpec> BatchNormApplyFused::outputs(std::span<const OperandSpec> inputs) const {
  require_input_count(kind(), inputs.size(), epilogue_.residual ? 5 : 4, 1);
  auto per_channel = inputs.subspan(1);
  if (epilogue_.residual) {
    require_equal(kind(), std::array{inputs.front(), inputs.back()});
    per_channel = per_channel.first(per_channel.size() - 1);
  }
  require_per_channel(kind(), inputs[0], per_channel);
  return {inputs[0]};
}

BatchNormGradientReduceFused::BatchNormGradientReduceFused(BatchNormGradientSource source) : source_(source) {
  if (source.gradients != 1 && source.gradients != 2)
    throw UsageError("[batch_norm_gradient_reduce_fused] expected 1 or 2 gradients, got {}",
                     source.gradients);
}

std::string BatchNormGradientReduceFused::attributes() const {
  constexpr std::string_view kMasks[] = {"", " of x", " of y"};
  const bool is_masked = source_.mask != ActivationMask::none;
  return fmt::format("{} gradients {}{}{}", source_.gradients, is_masked ? name_of(source_.activation) : "",
                     kMasks[static_cast<int>(source_.mask)], source_.keep_dz ? " keeps dz" : "");
}

std::vector<OperandSpec> BatchNormGradientReduceFused::outputs(std::span<const OperandSpec> inputs) const {
  const auto x = static_cast<std::size_t>(source_.gradients);
  const bool of_input = source_.mask == ActivationMask::input;
  require_input_count(kind(), inputs.size(), x + (source_.mask == ActivationMask::none ? 3 : 4),
                      of_input ? 1 : 0);
  require_equal(kind(), inputs.first(x + 1));
  require_per_channel(kind(), inputs[x], inputs.subspan(x + 1, of_input ? inputs.size() - x - 1 : 2));
  if (source_.mask == ActivationMask::output)
    require_equal(kind(), std::array{inputs.front(), inputs.back()});
  const OperandSpec& per_channel = inputs[x + 1];
  if (source_.keep_dz) return {inputs[0], per_channel, per_channel};
  return {per_channel, per_channel};
}

std::optional<int> BatchNormGradientReduceFused::in_place_input() const {
  return source_.keep_dz ? std::optional(0) : std::nullopt;
}

std::string BatchNormGradientApplyFused::attributes() const {
  return std::string(name_of(activation_));
}

std::vector<OperandSpec> BatchNormGradientApplyFused::outputs(std::span<const OperandSpec> inputs) const {
  require_input_count(kind(), inputs.size(), 7, 1);
  require_equal(kind(), inputs.first(2));
  require_per_channel(kind(), inputs[1], inputs.subspan(2));
  return {inputs[0]};
}

}  // namespace fastnn
