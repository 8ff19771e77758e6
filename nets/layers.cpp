#include "nets/layers.h"

#include <algorithm>

#include "engine/graph/ops/add.h"
#include "engine/graph/ops/avg_pool.h"
#include "engine/graph/ops/bias_add.h"
#include "engine/graph/ops/concat.h"
#include "engine/graph/ops/conv2d.h"
#include "engine/graph/ops/dense.h"
#include "engine/graph/ops/depthwise_conv2d.h"
#include "engine/graph/ops/dropout.h"
#include "engine/graph/ops/max_pool.h"
#include "engine/graph/ops/relu.h"
#include "engine/graph/ops/relu6.h"
#include "engine/graph/ops/reshape.h"
#include "engine/graph/ops/scale_add.h"
#include "engine/graph/ops/slice.h"

namespace fastnn {

Layers::Layers(Graph& graph, const std::string& scope, const NetOptions& options, LayerDefaults defaults)
    : graph_(graph),
      scope_(scope.empty() ? "" : scope + "/"),
      options_(options),
      defaults_(std::move(defaults)) {}

Layers::Scope::Scope(Layers& layers, const std::string& name)
    : layers_(layers), length_(layers.scope_.size()) {
  layers_.scope_ += name + "/";
}

Layers::Scope::~Scope() {
  layers_.scope_.resize(length_);
}

std::string Layers::scoped(const std::string& name) const {
  return scope_ + name;
}

std::string Layers::open_scope() const {
  return scope_.substr(0, scope_.size() - 1);
}

Value Layers::end_point(const std::string& name, Value value) {
  const auto known = std::ranges::find(end_points_, name, &EndPoint::name);
  if (known == end_points_.end())
    end_points_.push_back({name, value});
  else
    known->value = value;
  return value;
}

Kernel Layers::whole_image(Value x) const {
  const Shape& shape = graph_.shape(x);
  return {static_cast<int>(shape[1]), static_cast<int>(shape[2])};
}

Value Layers::layer_output(const std::string& layer, Value value) {
  return defaults_.end_points == EndPoints::all_layers ? end_point(scoped(layer), value) : value;
}

Value Layers::weights(const std::string& layer, const std::string& name, Shape shape,
                      const ConvOptions& options) {
  return graph_.add_parameter(scoped(layer) + "/" + name, shape,
                              {.initializer = options.weights.value_or(defaults_.weights),
                               .l2 = options.weights_l2.value_or(defaults_.weights_l2) == L2::yes});
}

Value Layers::biased(Value x, const std::string& layer, const ConvOptions& options) {
  const Value biases = graph_.add_parameter(
      scoped(layer) + "/biases", Shape{channels(x)},
      {.initializer = options.biases.value_or(defaults_.biases), .l2 = defaults_.biases_l2 == L2::yes});
  return bias_add(graph_, x, biases, scoped(layer) + "/BiasAdd");
}

Value Layers::normalized(Value x, const std::string& scope) {
  const BatchNormDefaults& defaults = defaults_.batch_norm.value();
  const auto variables = add_batch_norm_variables(graph_, channels(x), defaults.scale, scope);
  const bool of_batch = is_training() && options_.batch_norm == BatchNormMode::training;
  return fastnn::batch_norm(graph_, x, variables,
                            {.epsilon = defaults.epsilon,
                             .decay = defaults.decay,
                             .mode = of_batch ? BatchNormMode::training : BatchNormMode::frozen},
                            scope + "/FusedBatchNorm");
}

Value Layers::batch_norm(Value x, const std::string& name, Activation activation) {
  return activate(normalized(x, scoped(name)), activation, name);
}

Value Layers::activate(Value x, Activation activation, const std::string& name) {
  switch (activation) {
    case Activation::relu:
      return relu(graph_, x, scoped(name) + "/Relu");
    case Activation::relu6:
      return relu6(graph_, x, scoped(name) + "/Relu6");
    case Activation::none:
      break;
  }
  return x;
}

Value Layers::finished(Value sum, const std::string& layer, const ConvOptions& options) {
  Value y = sum;
  if (options.normalizer == Normalizer::by_default && defaults_.batch_norm)
    y = normalized(sum, scoped(layer) + "/BatchNorm");
  else if (options.normalizer != Normalizer::none)
    y = biased(sum, layer, options);
  return layer_output(layer, activate(y, options.activation.value_or(defaults_.activation), layer));
}

WindowAttributes Layers::window_of(const ConvOptions& options) const {
  return {.stride = {options.stride, options.stride},
          .padding = options.padding.value_or(defaults_.padding),
          .dilation = {options.rate, options.rate},
          .pads = options.pads};
}

Value Layers::conv2d(Value x, std::int64_t channels, Kernel kernel, const std::string& name,
                     ConvOptions options) {
  const Value w = weights(name, "weights", {kernel[0], kernel[1], this->channels(x), channels}, options);
  return finished(fastnn::conv2d(graph_, x, w, window_of(options), scoped(name) + "/Conv2D"), name, options);
}

Value Layers::conv2d_same(Value x, std::int64_t channels, int kernel, int stride, const std::string& name,
                          ConvOptions options) {
  const int before = (kernel - 1) / 2;
  options.stride = stride;
  options.pads = Pads{before, kernel - 1 - before, before, kernel - 1 - before};
  return conv2d(x, channels, {kernel, kernel}, name, options);
}

Value Layers::depthwise_conv2d(Value x, Kernel kernel, const std::string& name, ConvOptions options) {
  const Value w = weights(name, "depthwise_weights", {kernel[0], kernel[1], channels(x), 1}, options);
  return finished(fastnn::depthwise_conv2d(graph_, x, w, window_of(options), scoped(name) + "/depthwise"),
                  name, options);
}

Value Layers::separable_conv2d(Value x, std::int64_t channels, Kernel kernel, int depth_multiplier,
                               const std::string& name, ConvOptions options) {
  const std::int64_t C = this->channels(x);
  const SeparableWeights w{
      weights(name, "depthwise_weights", {kernel[0], kernel[1], C, depth_multiplier}, options),
      weights(name, "pointwise_weights", {1, 1, C * depth_multiplier, channels}, options)};
  return finished(
      fastnn::separable_conv2d(graph_, x, w, window_of(options), scoped(name) + "/separable_conv2d"), name,
      options);
}

Value Layers::max_pool2d(Value x, Kernel kernel, int stride, const std::string& name,
                         std::optional<Padding> padding) {
  const WindowAttributes window{.stride = {stride, stride},
                                .padding = padding.value_or(defaults_.pool_padding)};
  return layer_output(name, max_pool(graph_, x, kernel, window, scoped(name) + "/MaxPool"));
}

Value Layers::avg_pool2d(Value x, Kernel kernel, int stride, const std::string& name,
                         std::optional<Padding> padding) {
  const WindowAttributes window{.stride = {stride, stride},
                                .padding = padding.value_or(defaults_.pool_padding)};
  return layer_output(name, avg_pool(graph_, x, kernel, window, scoped(name) + "/AvgPool"));
}

Value Layers::global_avg_pool(Value x, const std::string& name) {
  return fastnn::global_avg_pool(graph_, x, scoped(name));
}

Value Layers::lrn(Value x, LrnAttributes attributes, const std::string& name) {
  return fastnn::lrn(graph_, x, attributes, scoped(name));
}

Value Layers::residual(Value x, Value r, const std::string& name, double scale) {
  return scale == 1.0 ? graph_.add_single(scoped(name), std::make_shared<Add>(), {x, r})
                      : scale_add(graph_, x, r, scale, scoped(name));
}

Value Layers::concat(std::vector<Value> values, const std::string& name) {
  return fastnn::concat(graph_, std::move(values), scoped(name));
}

Value Layers::flatten(Value x, const std::string& name) {
  const Shape& shape = graph_.shape(x);
  return reshape(graph_, x, {shape[0], shape.elements() / shape[0]}, scoped(name) + "/Reshape");
}

Value Layers::spatial_squeeze(Value x, const std::string& name) {
  const Shape& shape = graph_.shape(x);
  if (shape[1] != 1 || shape[2] != 1)
    throw UsageError(
        "[nets] {}: expected a map of 1x1 pixels, got {}x{}; the image size does not fit the net",
        scoped(name), shape[1], shape[2]);
  return reshape(graph_, x, {shape[0], shape[3]}, scoped(name));
}

Value Layers::fully_connected(Value x, std::int64_t channels, const std::string& name, ConvOptions options) {
  const Value w = weights(name, "weights", {graph_.shape(x)[1], channels}, options);
  return finished(dense(graph_, x, w, scoped(name) + "/MatMul"), name, options);
}

Value Layers::dropout(Value x, double keep_probability, const std::string& name) {
  const bool active = is_training() && options_.dropout == NetOptions::Dropout::on && keep_probability < 1;
  return active ? fastnn::dropout(graph_, x, keep_probability, scoped(name) + "/dropout") : x;
}

Value Layers::drop_path(Value x, DropPathAttributes attributes, const std::string& name) {
  const bool active =
      is_training() && options_.dropout == NetOptions::Dropout::on && attributes.final_keep_probability < 1;
  return active ? fastnn::drop_path(graph_, x, attributes, scoped(name)) : x;
}

Value Layers::shifted_slice(Value x, int step, const std::string& name) {
  return fastnn::shifted_slice(graph_, x, {step, step}, scoped(name));
}

}  // namespace fastnn
