#include <array>
#include <set>

#include "engine/graph/ops/batch_norm.h"
#include "engine/graph/ops/dense.h"
#include "engine/graph/ops/softmax_cross_entropy.h"
#include "optim/training_step.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

constexpr std::int64_t kBatch = 4, kFeatures = 6, kClasses = 5;

/// dense -> batch norm -> loss, with momentum.
struct Step {
  explicit Step(Device& device) : optimizer(optim::make_optimizer("momentum", {})) {
    Graph graph;
    const Value w = graph.add_parameter("w", {kFeatures, kClasses},
                                        {.initializer = TruncatedNormalInitializer{}, .l2 = true});
    x = graph.add_input("x", {kBatch, kFeatures});
    labels = graph.add_input("labels", {kBatch}, Dtype::s32);
    valid = graph.add_input("valid", {}, Dtype::s32);
    const auto variables = add_batch_norm_variables(graph, kClasses, BatchNormScale::with_gamma, "bn");
    const Value logits = batch_norm(graph, dense(graph, x, w, "dense"), variables, {.decay = 0.9}, "logits");
    const Value loss = softmax_cross_entropy(graph, {logits, labels, valid}, 0.0, "loss");
    training = optim::differentiate(graph, loss);
    state = std::make_unique<TrainState>(training.graph, training.parameters, device,
                                         optim::slot_specs(optimizer));
    state->initialize(3);
    step = std::make_unique<optim::TrainingStep>(training, optimizer, *state,
                                                 optim::TrainingStepOptions{.weight_decay = 0.1});
    step->load();
    step->plan().write(labels, Tensor::of<std::int32_t>({kBatch}, std::vector<std::int32_t>{0, 1, 2, 3}));
    step->plan().write(valid, Tensor::of<std::int32_t>(Shape{}, std::array{std::int32_t{kBatch}}));
  }

  optim::StepResult run(double scale) {
    auto values = golden_values("x", kBatch * kFeatures);
    for (double& value : values) value *= scale;
    step->plan().write(x, Tensor::of<double>({kBatch, kFeatures}, values));
    return step->run(0.1);
  }

  std::vector<double> read(const std::string& name) const {
    const Tensor tensor = state->read_weights(state->parameter(name)).as(Dtype::f64);
    return {tensor.values<double>().begin(), tensor.values<double>().end()};
  }

  optim::Optimizer optimizer;
  Value x, labels, valid;
  optim::TrainingGraph training;
  std::unique_ptr<TrainState> state;
  std::unique_ptr<optim::TrainingStep> step;
};

}  // namespace

TEST_CASE("training step: moving averages come last and have no gradient") {
  const auto device = make_device("cpu", 1);
  const Step s(*device);
  std::set<std::string> with_gradient;
  for (const auto& [parameter, gradient] : s.training.gradients)
    with_gradient.insert(s.training.graph.name(parameter));
  CHECK(with_gradient == std::set<std::string>{"w", "bn/beta", "bn/gamma"});
  REQUIRE(s.training.parameters.size() == 5);
  CHECK(s.training.graph.name(s.training.parameters[3]) == "bn/moving_mean");
  CHECK(s.training.graph.name(s.training.parameters[4]) == "bn/moving_variance");
}

TEST_CASE("training step: the optimizer leaves moving averages alone, a step moves them once") {
  for (const DeviceEntry& entry : device_table()) {
    INFO(entry.name);
    const auto device = make_device(entry.name, 1);
    Step s(*device);
    // Of all-zero inputs mean and variance are 0: moving_variance shrinks by the decay alone.
    for (int run = 1; run <= 3; ++run) {
      CHECK(s.run(0).finite);
      CHECK(s.read("bn/moving_mean") == std::vector<double>(kClasses, 0.0));
      for (const double variance : s.read("bn/moving_variance"))
        CHECK(variance == Approx(std::pow(0.9, run)).epsilon(1e-6));
    }
    const auto beta = s.read("bn/beta");
    CHECK(s.run(1).finite);
    CHECK(s.read("bn/beta") != beta);
    CHECK(s.read("bn/moving_mean") != std::vector<double>(kClasses, 0.0));
  }
}

TEST_CASE("training step: after a NaN batch weights and moving averages are those before it") {
  for (const DeviceEntry& entry : device_table()) {
    INFO(entry.name);
    const auto device = make_device(entry.name, 1);
    Step s(*device);
    s.run(1);
    std::map<std::string, std::vector<double>> before;
    for (const ParameterEntry& variable : s.state->parameters())
      before.emplace(variable.name, s.read(variable.name));
    CHECK_FALSE(s.run(std::nan("")).finite);
    for (const auto& [name, values] : before) CHECK(s.read(name) == values);
  }
}
