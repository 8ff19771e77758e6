#include "engine/passes/pass_table.h"

#include <algorithm>
#include <array>
#include <map>

#include "nets/net_table.h"
#include "optim/training_step.h"
#include "tests/support/case_runner.h"
#include "tests/support/catch.h"
#include "tests/support/golden_net.h"
#include "tests/support/messages.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

/// A net on which a pass must find something, small enough to run here.
struct PassNet {
  const char* pass;
  const char* net;
  std::int64_t image_size;
  /// Of results, relative to the largest of a tensor; 0: the same bits.
  double tolerance = 0;
};

/// Sums in another order, through all layers of a net.
constexpr double kRounding = 1e-4;

constexpr PassNet kPassNets[] = {
    {"remove_dead", "lenet", 28},
    {"fuse_batch_norm", "resnet_v1_50", 33},
    {"fuse_batch_norm", "resnet_v2_50", 33},
    {"fuse_batch_norm", "inception_v2", 64},
    {"fuse_batch_norm", "mobilenet_v1_025", 64},
    {"fuse_moving_average", "resnet_v1_50", 33},
    {"fuse_residual", "inception_resnet_v2", 107},
    {"fuse_bias", "lenet", 28},
    {"fuse_bias", "cifarnet", 32},
    {"fuse_epilogue", "lenet", 28, kRounding},
    {"fuse_epilogue", "cifarnet", 32, kRounding},
};

/// The same in evaluation.
constexpr PassNet kEvaluationNets[] = {
    {"fold_batch_norm", "resnet_v1_50", 64, kRounding},
    {"fold_batch_norm", "mobilenet_v1_025", 64, kRounding},
    {"fold_batch_norm", "inception_v3", 107, kRounding},
    {"fuse_epilogue", "inception_resnet_v2", 107, kRounding},
};

std::vector<std::string> all_but(std::string_view pass) {
  std::vector<std::string> names;
  for (const Pass& row : pass_table())
    if (row.name != pass) names.emplace_back(row.name);
  return names;
}

std::vector<std::string> all_passes() {
  return all_but("");
}

/// What a step leaves: gradients, and the values of variables that no optimizer changes.
struct Results {
  double loss = 0;
  std::map<std::string, Tensor> figures;
  std::size_t launches = 0;
  std::vector<PassResult> passes;
};

Results run(const PassNet& row, const std::vector<std::string>& disabled, std::string_view device_name) {
  constexpr std::int64_t kBatch = 2;
  const auto device = make_device(device_name, 0);
  const Network net = build_network(row.net, {.batch_size = kBatch,
                                              .num_classes = 5,
                                              .image_size = row.image_size,
                                              .dropout = NetOptions::Dropout::off});
  auto training = optim::differentiate(net.graph, net.loss);
  const auto optimizer = optim::make_optimizer("sgd", {});
  TrainState state(training.graph, training.parameters, *device);
  set_golden_weights(state, "");
  optim::TrainingStep step(std::move(training), optimizer, state,
                           {.keep = {net.loss}, .disabled_passes = disabled});
  step.load();
  step.plan().write(net.images, golden_images("", kBatch, row.image_size));
  step.plan().write(net.labels, Tensor::of<std::int32_t>({kBatch}, std::array{1, 3}));
  step.plan().write(net.valid_count, Tensor::of<std::int32_t>(Shape{}, std::array{2}));
  step.run(0.0);
  Results result{.loss = step.plan().read_scalar(net.loss),
                 .launches = step.plan().launches().size(),
                 .passes = step.passes()};
  for (const ParameterEntry& entry : state.parameters()) {
    result.figures.emplace(entry.name,
                           entry.spec.trainable ? state.read_gradients(entry) : state.read_weights(entry));
  }
  return result;
}

void check_figures(const Tensor& with, const Tensor& without, double tolerance) {
  if (tolerance == 0)
    CHECK(std::ranges::equal(with.bytes(), without.bytes()));
  else
    CHECK(relative_difference(with.as(Dtype::f64), without.as(Dtype::f64)) <= tolerance);
}

struct Evaluation {
  Tensor logits;
  std::size_t launches = 0;
  int rewrites = 0;
};

Evaluation evaluate(const PassNet& row, const std::vector<std::string>& disabled) {
  constexpr std::int64_t kBatch = 2;
  const auto device = make_device("cpu", 0);
  Network net = build_network(
      row.net,
      {.batch_size = kBatch, .num_classes = 5, .image_size = row.image_size, .mode = Mode::evaluation});
  int rewrites = 0;
  for (const PassResult& pass : run_passes(net.graph, {.keep = {net.logits}, .disabled = disabled}))
    if (pass.name == row.pass) rewrites = pass.rewrites;
  TrainState state(net.graph, net.graph.parameters(), *device);
  set_golden_weights(state, "");
  Plan plan(net.graph, state, {.keep = {net.logits}});
  plan.load();
  plan.prepare();
  plan.write(net.images, golden_images("", kBatch, row.image_size));
  plan.run();
  return {plan.read(net.logits).as(Dtype::f64), plan.launches().size(), rewrites};
}

}  // namespace

TEST_CASE(
    "passes: each rewrites its nets into fewer launches that give the same, in bits but for sums in another "
    "order",
    "[arithmetic]") {
  for (const PassNet& row : kPassNets) {
    INFO(row.pass << " on " << row.net);
    const Results without = run(row, all_passes(), "cpu");
    const Results with = run(row, all_but(row.pass), "cpu");
    REQUIRE(with.passes.size() == 1);
    CHECK(with.passes[0].rewrites > 0);
    CHECK(with.launches < without.launches);
    CHECK(with.loss == Approx(without.loss).epsilon(row.tolerance).margin(0));
    for (const auto& [name, figures] : without.figures) {
      INFO(name);
      check_figures(with.figures.at(name), figures, row.tolerance);
    }
  }
}

TEST_CASE("passes: those of evaluation give the logits of the net without them", "[arithmetic]") {
  for (const PassNet& row : kEvaluationNets) {
    INFO(row.pass << " on " << row.net);
    const Evaluation without = evaluate(row, {row.pass});
    const Evaluation with = evaluate(row, {});
    CHECK(without.rewrites == 0);
    CHECK(with.rewrites > 0);
    CHECK(with.launches < without.launches);
    CHECK(relative_difference(with.logits, without.logits) <= row.tolerance);
  }
}

TEST_CASE("passes: every one is tested on a net") {
  for (const Pass& pass : pass_table()) {
    INFO(pass.name);
    CHECK(std::ranges::count(kPassNets, pass.name, &PassNet::pass) +
              std::ranges::count(kEvaluationNets, pass.name, &PassNet::pass) >
          0);
  }
}

TEST_CASE("passes: an unknown name is refused with the nearest one") {
  Graph graph;
  CHECK_THAT(message_of<UsageError>([&] { run_passes(graph, {.keep = {}, .disabled = {"fuse_bais"}}); }),
             Catch::Contains("did you mean fuse_bias?"));
}

TEST_CASE("passes: evaluation does not compute an auxiliary head") {
  Network net = build_network("inception_v3", {.batch_size = 1, .image_size = 107, .mode = Mode::evaluation});
  run_passes(net.graph, {.keep = {net.predictions}, .disabled = {}});
  for (const Node& node : net.graph.nodes()) {
    INFO(node.name);
    CHECK(node.name.find("AuxLogits") == std::string::npos);
  }
}
