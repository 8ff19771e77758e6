#include "engine/passes/pass_table.h"

#include <algorithm>
#include <array>
#include <map>

#include "nets/net_table.h"
#include "optim/training_step.h"
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
};

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
  std::map<std::string, std::vector<std::byte>> bytes;
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
    const Tensor figures = entry.spec.trainable ? state.read_gradients(entry) : state.read_weights(entry);
    result.bytes[entry.name].assign(figures.bytes().begin(), figures.bytes().end());
  }
  return result;
}

}  // namespace

TEST_CASE("passes: each rewrites its nets into fewer launches that give the same bits") {
  for (const PassNet& row : kPassNets) {
    INFO(row.pass << " on " << row.net);
    const Results without = run(row, all_passes(), "cpu");
    const Results with = run(row, all_but(row.pass), "cpu");
    REQUIRE(with.passes.size() == 1);
    CHECK(with.passes[0].rewrites > 0);
    CHECK(with.launches < without.launches);
    CHECK(with.loss == without.loss);
    for (const auto& [name, bytes] : without.bytes) {
      INFO(name);
      CHECK(with.bytes.at(name) == bytes);
    }
  }
}

TEST_CASE("passes: every one is tested on a net") {
  for (const Pass& pass : pass_table()) {
    INFO(pass.name);
    CHECK(std::ranges::count(kPassNets, pass.name, &PassNet::pass) > 0);
  }
}

TEST_CASE("passes: an unknown name is refused with the nearest one") {
  Graph graph;
  CHECK_THAT(message_of<UsageError>([&] { run_passes(graph, {.keep = {}, .disabled = {"fuse_bais"}}); }),
             Catch::Contains("fuse_bias"));
}

TEST_CASE("passes: evaluation does not compute an auxiliary head") {
  Network net = build_network("inception_v3", {.batch_size = 1, .image_size = 107, .mode = Mode::evaluation});
  run_passes(net.graph, {.keep = {net.predictions}, .disabled = {}});
  for (const Node& node : net.graph.nodes()) {
    INFO(node.name);
    CHECK(node.name.find("AuxLogits") == std::string::npos);
  }
}
