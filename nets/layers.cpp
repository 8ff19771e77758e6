#include "nets/layers.h"

#include "engine/graph/ops/bias_add.h"
#include "engine/graph/ops/conv2d.h"
#include "engine/graph/ops/dense.h"
#include "engine/graph/ops/dropout.h"
#include "engine/graph/ops/max_pool.h"
#include "engine/graph/ops/relu.h"
#include "engine/graph/ops/reshape.h"

namespace fastnn {

Layers::Layers(Graph& graph, std::string scope, const NetOptions& options, LayerDefaults defaults)
    : graph_(graph), scope_(std::move(scope)), options_(options), defaults_(std::move(defaults)) {}

Value Layers::end_point(const std::string& name, Value value) {
  end_points_.push_back({name, value});
  return value;
}

Value Layers::weights(const std::string& layer, Shape shape) {
  return graph_.add_parameter(scoped(layer) + "/weights", shape, {defaults_.weights, defaults_.l2});
}

Value Layers::biased(Value x, const std::string& layer, Activation activation) {
  const Value biases =
      graph_.add_parameter(scoped(layer) + "/biases", Shape{graph_.shape(x)[-1]}, {defaults_.biases, false});
  const Value y = bias_add(graph_, x, biases, scoped(layer) + "/BiasAdd");
  return activation == Activation::relu ? relu(graph_, y, scoped(layer) + "/Relu") : y;
}

Value Layers::conv2d(Value x, std::int64_t channels, std::array<int, 2> kernel, const std::string& name) {
  const Value w = weights(name, {kernel[0], kernel[1], graph_.shape(x)[-1], channels});
  const Value y = fastnn::conv2d(graph_, x, w, {.padding = Padding::same}, scoped(name) + "/Conv2D");
  return end_point(name, biased(y, name, Activation::relu));
}

Value Layers::max_pool2d(Value x, std::array<int, 2> kernel, int stride, const std::string& name) {
  const WindowAttributes window{.stride = {stride, stride}, .padding = Padding::valid};
  return end_point(name, max_pool(graph_, x, kernel, window, scoped(name) + "/MaxPool"));
}

Value Layers::flatten(Value x, const std::string& name) {
  const Shape& shape = graph_.shape(x);
  return end_point(name,
                   reshape(graph_, x, {shape[0], shape.elements() / shape[0]}, scoped(name) + "/Reshape"));
}

Value Layers::fully_connected(Value x, std::int64_t channels, const std::string& name,
                              Activation activation) {
  const Value w = weights(name, {graph_.shape(x)[1], channels});
  return end_point(name, biased(dense(graph_, x, w, scoped(name) + "/MatMul"), name, activation));
}

Value Layers::dropout(Value x, double keep_probability, const std::string& name) {
  const bool active = options_.mode == Mode::training && options_.dropout == NetOptions::Dropout::on;
  return end_point(name,
                   active ? fastnn::dropout(graph_, x, keep_probability, scoped(name) + "/dropout") : x);
}

}  // namespace fastnn
