#include <ctime>

#include "nets/network.h"
#include "optim/training_step.h"
#include "tests/support/catch.h"

using namespace fastnn;

namespace {

/// Seconds of processor time that a training step of a net takes to be made: net, gradients, passes, plan.
double creation_seconds(std::string_view net_name) {
  const auto device = make_device("cpu", 1);
  const std::clock_t begin = std::clock();
  Network net = build_network(net_name, {.batch_size = 1});
  auto training = optim::differentiate(std::move(net.graph), net.loss);
  const auto optimizer = optim::make_optimizer("momentum", {});
  TrainState state(training.graph, training.parameters, *device, optim::slot_specs(optimizer));
  const optim::TrainingStep step(std::move(training), optimizer, state, {.keep = {net.cross_entropy}});
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

}  // namespace

TEST_CASE("plan creation: inception_resnet_v2 takes less than 10 s of one core, nasnet_large less than 30") {
  CHECK(creation_seconds("inception_resnet_v2") < 10);
  CHECK(creation_seconds("nasnet_large") < 30);
}
