#include "engine/graph/ops/fused_layer.h"

#include <limits>

#include "engine/graph/ops/add.h"
#include "engine/graph/ops/batch_norm_apply.h"
#include "engine/graph/ops/batch_norm_statistics.h"
#include "engine/graph/ops/bias_add.h"
#include "engine/graph/ops/conv2d.h"
#include "engine/graph/ops/dense.h"
#include "engine/graph/ops/depthwise_conv2d.h"
#include "engine/graph/ops/relu.h"
#include "engine/graph/ops/relu6.h"
#include "engine/graph/ops/scale.h"
#include "engine/plan/plan.h"
#include "tests/support/case_runner.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

using namespace fastnn;
using namespace fastnn::tests;
using kernels::Activation;

namespace {

/// A layer and the shapes of its operands.
struct Layer {
  std::shared_ptr<const Operation> operation;
  Shape x;
  Shape w;
};

std::vector<Layer> layers() {
  const WindowAttributes same{};
  const WindowAttributes stride_2{.stride = {2, 2}};
  return {{std::make_shared<Conv2d>(same), {2, 7, 6, 5}, {3, 3, 5, 19}},
          {std::make_shared<Conv2d>(stride_2), {1, 9, 9, 32}, {1, 1, 32, 64}},
          {std::make_shared<DepthwiseConv2d>(same), {2, 7, 6, 16}, {3, 3, 16, 1}},
          {std::make_shared<DepthwiseConv2d>(same), {1, 9, 8, 7}, {5, 5, 7, 2}},
          {std::make_shared<Dense>(), {3, 17}, {17, 10}}};
}

std::vector<LayerEpilogue> epilogues() {
  std::vector<LayerEpilogue> all;
  for (const Activation activation : {Activation::none, Activation::relu, Activation::relu6})
    for (const bool residual : {false, true})
      for (const double scale : {1.0, 0.17}) all.push_back({scale, residual, activation});
  return all;
}

/// Rounding of sums in another order.
double bound(const Device& device) {
  return device.storage(Dtype::f32) == Dtype::f64 ? 1e-13 : 1e-5;
}

double difference(const Tensor& a, const Tensor& b) {
  return relative_difference(a.as(Dtype::f64), b.as(Dtype::f64));
}

Value composed(Graph& graph, const Layer& layer, const LayerEpilogue& epilogue,
               const std::vector<Value>& in) {
  Value y = graph.add_single("layer", layer.operation, {in[0], in[1]});
  y = bias_add(graph, y, in[2], "bias");
  if (epilogue.scale != 1) y = graph.add_single("scale", std::make_shared<Scale>(epilogue.scale), {y});
  if (epilogue.residual) y = graph.add_single("sum", std::make_shared<Add>(), {y, in[3]});
  if (epilogue.activation == Activation::relu) y = relu(graph, y, "relu");
  if (epilogue.activation == Activation::relu6) y = relu6(graph, y, "relu6");
  return y;
}

/// Inputs of a fused layer and of its composition, both in one plan; golden values, the residual's kept.
struct Comparison {
  Comparison(Device& device, const Layer& layer, const LayerEpilogue& epilogue) {
    Graph graph;
    const Value x = graph.add_input("x", layer.x);
    const Shape y = layer.operation->outputs(std::array{OperandSpec{layer.x}, OperandSpec{layer.w}})[0].shape;
    std::vector<Value> in = {x, graph.add_parameter("w", layer.w, {}),
                             graph.add_parameter("b", Shape{y[-1]}, {})};
    if (epilogue.residual) in.push_back(graph.add_input("residual", y));
    expected = composed(graph, layer, epilogue, in);
    fused = graph.add_single("fused", std::make_shared<FusedLayer>(layer.operation, epilogue), in);
    state = std::make_unique<TrainState>(graph, graph.parameters(), device);
    for (const ParameterEntry& entry : state->parameters())
      state->write_weights(
          entry, Tensor::of<double>(entry.shape, golden_values(entry.name, entry.shape.elements())));
    plan = std::make_unique<Plan>(graph, *state, PlanOptions{.keep = {expected, fused}});
    plan->load();
    plan->prepare();
    for (const Value input : graph.inputs())
      write(input, golden_values(graph.name(input), graph.shape(input).elements()));
  }

  void write(Value input, const std::vector<double>& values) {
    plan->write(input, Tensor::of<double>(plan->graph().shape(input), values));
  }

  Value expected, fused;
  std::unique_ptr<TrainState> state;
  std::unique_ptr<Plan> plan;
};

}  // namespace

TEST_CASE("fused layers: each equals the operations it replaces but for rounding, on every device") {
  for (const DeviceEntry& entry : device_table()) {
    const auto device = make_device(entry.name, 0);
    for (const Layer& layer : layers())
      for (const LayerEpilogue& epilogue : epilogues()) {
        INFO(entry.name << ": " << FusedLayer(layer.operation, epilogue).attributes() << " of "
                        << layer.x.text());
        Comparison comparison(*device, layer, epilogue);
        comparison.plan->run();
        const auto fused = comparison.plan->read(comparison.fused);
        CHECK(difference(fused, comparison.plan->read(comparison.expected)) <= bound(*device));
        comparison.plan->run();
        CHECK(difference(comparison.plan->read(comparison.fused), fused) == 0);
      }
  }
}

TEST_CASE("fused layers: a NaN stays one where no activation follows, on every device") {
  for (const DeviceEntry& entry : device_table()) {
    const auto device = make_device(entry.name, 0);
    for (const Layer& layer : layers())
      for (const LayerEpilogue& epilogue : epilogues()) {
        if (epilogue.activation != Activation::none) continue;
        INFO(entry.name << ": " << FusedLayer(layer.operation, epilogue).attributes() << " of "
                        << layer.x.text());
        Comparison comparison(*device, layer, epilogue);
        const auto count = static_cast<std::size_t>(layer.x.elements());
        comparison.write(comparison.plan->graph().inputs()[0],
                         std::vector<double>(count, std::numeric_limits<double>::quiet_NaN()));
        comparison.plan->run();
        const Tensor fused = comparison.plan->read(comparison.fused).as(Dtype::f64);
        CHECK(std::isnan(fused.values<double>()[0]));
      }
  }
}

TEST_CASE("fused layers: a layer with folded weights equals the layer and its batch norm, on every device") {
  for (const DeviceEntry& entry : device_table()) {
    const auto device = make_device(entry.name, 0);
    for (const Layer& layer : layers()) {
      INFO(entry.name << ": " << layer.operation->kind() << " of " << layer.x.text());
      Graph graph;
      const Value x = graph.add_input("x", layer.x);
      const Value w = graph.add_parameter("w", layer.w, {});
      const Value layer_y = graph.add_single("layer", layer.operation, {x, w});
      std::vector<Value> vectors;
      for (const char* name : {"mean", "variance", "beta", "gamma"})
        vectors.push_back(graph.add_parameter(name, Shape{graph.shape(layer_y)[-1]}, {}));
      const Value rstd = graph.add_single("rstd", std::make_shared<BatchNormRstd>(1e-3), {vectors[1]});
      const Value expected =
          graph.add_single("norm", std::make_shared<BatchNormApply>(BatchStatistics::fixed),
                           {layer_y, vectors[0], rstd, vectors[2], vectors[3]});
      const auto fold = graph.add("fold", std::make_shared<BatchNormFold>(1e-3),
                                  {w, vectors[0], vectors[1], vectors[2], vectors[3]});
      const Value fused = graph.add_single(
          "fused", std::make_shared<FusedLayer>(layer.operation, LayerEpilogue{}), {x, fold[0], fold[1]});
      TrainState state(graph, graph.parameters(), *device);
      for (const ParameterEntry& parameter : state.parameters()) {
        auto values = golden_values(parameter.name, parameter.shape.elements());
        if (parameter.name == "variance")
          for (double& value : values) value = std::abs(value) + 0.1;
        state.write_weights(parameter, Tensor::of<double>(parameter.shape, values));
      }
      Plan plan(graph, state, {.keep = {expected, fused}});
      plan.load();
      plan.prepare();
      plan.write(x, Tensor::of<double>(layer.x, golden_values("x", layer.x.elements())));
      plan.run();
      CHECK(difference(plan.read(fused), plan.read(expected)) <= 10 * bound(*device));
    }
  }
}

TEST_CASE("fused layers: other operations, and operands that do not fit, are refused") {
  CHECK(message_of<UsageError>([] { FusedLayer(std::make_shared<Add>(), {}); }) ==
        "[fused_layer] add is no convolution or dense layer");
  const FusedLayer dense(std::make_shared<Dense>(), {.residual = true});
  const OperandSpec x{Shape{2, 3}}, w{Shape{3, 5}}, bias{Shape{5}};
  CHECK_THROWS_AS(dense.outputs(std::array{x, w, bias}), UsageError);
  CHECK_THROWS_AS(dense.outputs(std::array{x, w, bias, x}), UsageError);
  CHECK_THROWS_AS(BatchNormFold(1e-3).outputs(std::array{w, x, x, x}), UsageError);
}
