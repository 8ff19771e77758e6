#include <array>

#include "nets/network.h"
#include "optim/training_step.h"
#include "tests/support/allocations.h"
#include "tests/support/catch.h"
#include "tests/support/golden_net.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

struct LenetStep {
  LenetStep()
      : device(make_device("cpu", 0)),
        net(build_network("lenet", {.batch_size = 32, .num_classes = 10})),
        optimizer(optim::make_optimizer("momentum", {})),
        training(optim::differentiate(net.graph, net.cross_entropy)),
        state(training.graph, training.parameters, *device, optim::slot_specs(optimizer)),
        step(training, optimizer, state, {.weight_decay = 4e-5, .keep = {net.cross_entropy}}) {
    state.initialize(1);
    step.load();
    step.plan().write(net.images, golden_images("", 32, 28));
    step.plan().write(net.labels, Tensor(Dtype::s32, {32}));
    step.plan().write(net.valid_count, Tensor::of<std::int32_t>(Shape{}, std::array{std::int32_t{32}}));
  }

  std::unique_ptr<Device> device;
  Network net;
  optim::Optimizer optimizer;
  optim::TrainingGraph training;
  TrainState state;
  optim::TrainingStep step;
};

}  // namespace

TEST_CASE("training step: after the first one, none takes a page fault") {
  LenetStep lenet;
  for (int i = 0; i < 3; ++i) lenet.step.run(1e-3);
  const ThreadUse before = thread_use();
  for (int i = 0; i < 20; ++i) lenet.step.run(1e-3);
  CHECK((thread_use() - before).page_faults == 0);
}

TEST_CASE("training step: after the first one, all heap allocations are oneDNN's own") {
  LenetStep lenet;
  for (int i = 0; i < 3; ++i) lenet.step.run(1e-3);
  const ThreadUse before = thread_use();
  for (int i = 0; i < 20; ++i) lenet.step.run(1e-3);
  const ThreadUse used = thread_use() - before;
  CHECK(used.allocations == 0);
  // The counter works: oneDNN makes a few small maps in each execution.
  CHECK(used.onednn_allocations > 0);
}
