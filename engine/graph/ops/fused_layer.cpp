#include "engine/graph/ops/fused_layer.h"

#include <algorithm>
#include <array>

#include "engine/graph/ops/channels.h"

namespace fastnn {
namespace {

constexpr LayerKind kKinds[] = {
    {"conv2d", "conv2d_fused"}, {"depthwise_conv2d", "depthwise_conv2d_fused"}, {"dense", "dense_fused"}};

std::string_view fused_kind(std::string_view layer) {
  const auto* known = std::ranges::find(kKinds, layer, &LayerKind::layer);
  if (known == std::end(kKinds)) throw UsageError("[fused_layer] {} is no convolution or dense layer", layer);
  return known->fused;
}

}  // namespace

FusedLayer::FusedLayer(std::shared_ptr<const Operation> layer, LayerEpilogue epilogue)
    : layer_(std::move(layer)), epilogue_(epilogue), kind_(fused_kind(layer_->kind())) {}

std::string FusedLayer::attributes() const {
  const bool is_activated = epilogue_.activation != kernels::Activation::none;
  const std::string scale = epilogue_.scale == 1 ? "" : fmt::format(" scale {}", epilogue_.scale);
  return fmt::format("{} bias{}{}{}{}", layer_->attributes(), scale, epilogue_.residual ? " + residual" : "",
                     is_activated ? " " : "", name_of(epilogue_.activation));
}

std::vector<OperandSpec> FusedLayer::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, epilogue_.residual ? 4 : 3);
  std::vector<OperandSpec> y = layer_->outputs(inputs.first(2));
  require_per_channel(kind(), y[0], inputs.subspan(2, 1));
  if (epilogue_.residual) require_equal(kind(), std::array{y[0], inputs[3]});
  return y;
}

std::optional<int> FusedLayer::in_place_input() const {
  return epilogue_.residual ? std::optional(3) : std::nullopt;
}

double FusedLayer::flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const {
  return layer_->flops(inputs.first(2), outputs);
}

std::span<const LayerKind> layer_kinds() {
  return kKinds;
}

const Operation* layer_of(const Node& node) {
  if (const auto* fused = dynamic_cast<const FusedLayer*>(node.operation.get())) return fused->layer().get();
  return std::ranges::count(kKinds, node.operation->kind(), &LayerKind::layer) > 0 ? node.operation.get()
                                                                                   : nullptr;
}

std::vector<OperandSpec> BatchNormFold::outputs(std::span<const OperandSpec> inputs) const {
  require_input_count(kind(), inputs.size(), 4, 1);
  const auto per_channel = inputs.subspan(1);
  require_equal(kind(), per_channel);
  if (per_channel[0].shape.rank() != 1 || inputs[0].shape.elements() % per_channel[0].shape[0] != 0)
    throw UsageError("[batch_norm_fold] expected w [..., K] and mean [K], got {} and {}",
                     inputs[0].shape.text(), per_channel[0].shape.text());
  return {inputs[0], per_channel[0]};
}

}  // namespace fastnn
