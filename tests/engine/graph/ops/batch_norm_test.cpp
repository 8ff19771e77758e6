#include "engine/graph/ops/batch_norm.h"

#include <cmath>
#include <limits>

#include "engine/graph/ops/batch_norm_apply.h"
#include "engine/graph/ops/batch_norm_fused.h"
#include "engine/graph/ops/batch_norm_gradient.h"
#include "engine/graph/ops/batch_norm_statistics.h"
#include "engine/graph/ops/moving_average_update.h"
#include "engine/graph/ops/scale_add.h"
#include "engine/plan/plan.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

constexpr std::int64_t kChannels = 3;
constexpr double kDecay = 0.7;

/// A batch norm of x [2,2,2,3] in training, made ready on a device.
struct Layer {
  explicit Layer(Device& device, BatchNormMode mode = BatchNormMode::training) {
    Graph graph;
    x = graph.add_input("x", {2, 2, 2, kChannels});
    const auto variables =
        add_batch_norm_variables(graph, kChannels, BatchNormScale::with_gamma, "layer/BatchNorm");
    const Value y = batch_norm(graph, x, variables, {.decay = kDecay, .mode = mode}, "layer/BatchNorm/y");
    state = std::make_unique<TrainState>(graph, graph.parameters(), device);
    state->initialize(1);
    plan = std::make_unique<Plan>(graph, *state, PlanOptions{.keep = {y}});
    plan->load();
  }

  void run(const std::vector<double>& values) {
    plan->write(x, Tensor::of<double>({2, 2, 2, kChannels}, values));
    plan->prepare();
    plan->run();
  }

  std::vector<double> variable(const std::string& name) const {
    const Tensor tensor = state->read_weights(state->parameter("layer/BatchNorm/" + name)).as(Dtype::f64);
    const auto values = tensor.values<double>();
    return {values.begin(), values.end()};
  }

  Value x;
  std::unique_ptr<TrainState> state;
  std::unique_ptr<Plan> plan;
};

std::vector<double> batch(int number) {
  auto values = golden_values("batch " + std::to_string(number), 8 * kChannels);
  for (double& value : values) value = static_cast<float>(3 * value + number);
  return values;
}

struct Moments {
  double mean = 0;
  double unbiased_variance = 0;
};

Moments moments(const std::vector<double>& x, std::size_t channel) {
  Moments result;
  for (std::size_t i = channel; i < x.size(); i += kChannels) result.mean += x[i] / 8;
  for (std::size_t i = channel; i < x.size(); i += kChannels)
    result.unbiased_variance += (x[i] - result.mean) * (x[i] - result.mean) / 7;
  return result;
}

OperandSpec spec(Shape shape) {
  return {shape, Dtype::f32};
}

std::string refusal(const Operation& operation, std::vector<OperandSpec> inputs) {
  return message_of<UsageError>([&] { operation.outputs(inputs); });
}

}  // namespace

TEST_CASE("batch norm: moving averages start at 0 and 1 and follow the formula, the variance unbiased") {
  for (const DeviceEntry& entry : device_table()) {
    INFO(entry.name);
    const auto device = make_device(entry.name, 0);
    Layer layer(*device);
    CHECK(layer.variable("moving_mean") == std::vector<double>(kChannels, 0.0));
    CHECK(layer.variable("moving_variance") == std::vector<double>(kChannels, 1.0));
    std::vector<Moments> expected(kChannels, {0, 1});
    for (int number = 0; number < 4; ++number) {
      layer.run(batch(number));
      for (std::size_t c = 0; c < kChannels; ++c) {
        const Moments of_batch = moments(batch(number), c);
        expected[c].mean = kDecay * expected[c].mean + (1 - kDecay) * of_batch.mean;
        expected[c].unbiased_variance =
            kDecay * expected[c].unbiased_variance + (1 - kDecay) * of_batch.unbiased_variance;
        CHECK(layer.variable("moving_mean")[c] == Approx(expected[c].mean).epsilon(1e-5));
        CHECK(layer.variable("moving_variance")[c] == Approx(expected[c].unbiased_variance).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("batch norm: a batch with one NaN or infinity leaves no trace in any moving average") {
  for (const DeviceEntry& entry : device_table()) {
    INFO(entry.name);
    const auto device = make_device(entry.name, 0);
    Layer layer(*device);
    layer.run(batch(1));
    const auto mean = layer.variable("moving_mean");
    const auto variance = layer.variable("moving_variance");
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()})
      for (const std::size_t place : {std::size_t{0}, std::size_t{4}}) {
        auto values = batch(2);
        values[place] = bad;
        layer.run(values);
        CHECK(layer.variable("moving_mean") == mean);
        CHECK(layer.variable("moving_variance") == variance);
      }
    layer.run(batch(2));
    CHECK(layer.variable("moving_mean") != mean);
  }
}

TEST_CASE("batch norm: frozen, it normalises with the moving averages and leaves them alone") {
  const auto device = make_device("reference", 0);
  Layer layer(*device, BatchNormMode::frozen);
  layer.state->write_weights(layer.state->parameter("layer/BatchNorm/moving_mean"),
                             Tensor::of<double>({kChannels}, std::vector{0.5, -1.0, 2.0}));
  layer.run(batch(1));
  CHECK(layer.variable("moving_mean") == std::vector{0.5, -1.0, 2.0});
  const Tensor y = layer.plan->read(layer.plan->graph().nodes().back().outputs[0]);
  CHECK(y.values<double>()[1] == Approx((batch(1)[1] + 1.0) / std::sqrt(1.001)));
}

TEST_CASE("batch norm: only what a net needs is computed in the backward pass") {
  Graph graph;
  const Value x = graph.add_input("x", {2, kChannels});
  const auto variables = add_batch_norm_variables(graph, kChannels, BatchNormScale::without_gamma, "b");
  CHECK_FALSE(variables.gamma);
  batch_norm(graph, x, variables, {.mode = BatchNormMode::frozen}, "y");
  CHECK(graph.nodes().size() == 2);
  CHECK(graph.assignments().empty());
}

TEST_CASE("batch norm: attributes out of range are refused") {
  CHECK(message_of<UsageError>([] { BatchNormStatistics(0.0); }) ==
        "[batch_norm] epsilon must be above 0, got 0");
  CHECK(message_of<UsageError>([] { BatchNormRstd(std::nan("")); }) ==
        "[batch_norm] epsilon must be above 0, got nan");
  CHECK(message_of<UsageError>([] { MovingAverageUpdate(1.5); }) ==
        "[moving_average_update] decay must be in [0, 1], got 1.5");
  CHECK(message_of<UsageError>([] { BatchNormGradientReduceFused({.gradients = 3}); }) ==
        "[batch_norm_gradient_reduce_fused] expected 1 or 2 gradients, got 3");
}

TEST_CASE("batch norm: operands that do not fit are refused, naming what was expected") {
  const OperandSpec x = spec({2, 5}), c = spec({5}), wrong = spec({4});
  CHECK(refusal(BatchNormApply(BatchStatistics::batch), {x, c, c, wrong}) ==
        "[batch_norm_apply] expected one figure per channel, [5], beside x [2,5], got [4]");
  CHECK(refusal(BatchNormApply(BatchStatistics::batch), {x, c, c}) ==
        "[batch_norm_apply] expected 4 to 5 inputs, got 3");
  CHECK(refusal(BatchNormStatistics(1e-3), {spec({})}) ==
        "[batch_norm_statistics] expected x [..., C], got []");
  CHECK(refusal(BatchNormGradientReduce(), {spec({3, 5}), x, c, c}) ==
        "[batch_norm_gradient_reduce] shapes must be equal, got [3,5] and [2,5]");
  CHECK(refusal(BatchNormApplyFused({.residual = true}), {x, c, c, c, spec({3, 5})}) ==
        "[batch_norm_apply_fused] shapes must be equal, got [2,5] and [3,5]");
  CHECK(refusal(BatchNormGradientReduceFused({.mask = kernels::ActivationMask::output}), {x, x, c, c}) ==
        "[batch_norm_gradient_reduce_fused] expected 5 to 5 inputs, got 4");
  CHECK(refusal(MovingAverageUpdate(0.9), {c, c, c, wrong}) ==
        "[moving_average_update] shapes must be equal, got [5] and [4]");
  CHECK(refusal(ScaleAdd(0.1), {x, c}) == "[scale_add] shapes must be equal, got [2,5] and [5]");
}
