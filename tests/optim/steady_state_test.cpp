#include <dlfcn.h>
#include <sys/resource.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <new>

#include "nets/network.h"
#include "optim/training_step.h"
#include "tests/support/catch.h"
#include "tests/support/golden_net.h"

namespace {

/// While 'counting' is on, operator new counts on this thread: what oneDNN's library asks for, and all else.
/// Replaces the operator of the whole process, libfastnn included.
thread_local bool counting = false;
thread_local long ours = 0;
thread_local long of_onednn = 0;

void count_call_from(const void* address) {
  Dl_info info{};
  const bool library = dladdr(address, &info) != 0 && std::strstr(info.dli_fname, "libdnnl") != nullptr;
  ++(library ? of_onednn : ours);
}

long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

}  // namespace

// noinline: gcc warns of a mismatch where it sees the body of only one of the pair.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (counting) count_call_from(__builtin_return_address(0));
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

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
  const long before = page_faults();
  for (int i = 0; i < 20; ++i) lenet.step.run(1e-3);
  CHECK(page_faults() - before == 0);
}

TEST_CASE("training step: after the first one, all heap allocations are oneDNN's own") {
  LenetStep lenet;
  for (int i = 0; i < 3; ++i) lenet.step.run(1e-3);
  counting = true;
  for (int i = 0; i < 20; ++i) lenet.step.run(1e-3);
  counting = false;
  CHECK(ours == 0);
  // The counter works: oneDNN makes a few small maps in each execution.
  CHECK(of_onednn > 0);
}
