#include <cmath>
#include <cstdlib>
#include <string_view>

#include "nets/network.h"
#include "optim/training_step.h"
#include "tests/support/catch.h"
#include "tests/support/golden_net.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

constexpr std::int64_t kBatch = 2, kClasses = 5;

struct Family {
  const char* net;
  std::int64_t image_size;
};

constexpr Family kFamilies[] = {
    {"lenet", 28},         {"cifarnet", 32},
    {"alexnet_v2", 224},   {"overfeat", 231},
    {"vgg_a", 224},        {"inception_v1", 193},
    {"inception_v2", 64},  {"inception_v3", 107},
    {"inception_v4", 107}, {"inception_resnet_v2", 107},
    {"resnet_v1_50", 64},  {"resnet50_v1_5", 64},
    {"resnet_v2_50", 64},  {"mobilenet_v1", 64},
    {"mobilenet_v2", 64},  {"nasnet_cifar", 32},
    {"nasnet_mobile", 96}, {"pnasnet_mobile", 96},
};

/// Whether the environment keeps oneDNN from instructions beyond AVX2.
bool limited_to_avx2() {
  const char* limit = std::getenv("ONEDNN_MAX_CPU_ISA");
  return limit != nullptr && std::string_view(limit) == "AVX2";
}

void check_implementation(const LaunchInfo& launch) {
  INFO(launch.name << ": " << launch.implementation);
  CHECK(launch.implementation.find("ref") == std::string::npos);
  if (!limited_to_avx2()) return;
  CHECK(launch.implementation.find("avx512") == std::string::npos);
  CHECK(launch.implementation.find("amx") == std::string::npos);
}

}  // namespace

TEST_CASE("net families: a training step of each runs without reference code and changes its weights",
          "[.slow]") {
  const auto device = make_device("cpu", 1);
  for (const auto& [name, size] : kFamilies) {
    INFO(name);
    Network net = build_network(name, {.batch_size = kBatch, .num_classes = kClasses, .image_size = size});
    auto training = optim::differentiate(net.graph, net.loss);
    const auto optimizer = optim::make_optimizer("momentum", {});
    TrainState state(training.graph, training.parameters, *device, optim::slot_specs(optimizer));
    optim::TrainingStep step(std::move(training), optimizer, state, {.keep = {net.cross_entropy}});
    state.initialize(1);
    step.load();
    for (const LaunchInfo& launch : step.plan().launches()) check_implementation(launch);
    step.plan().write(net.images, golden_images("", kBatch, size));
    step.plan().write(net.labels, Tensor(Dtype::s32, {kBatch}));
    step.plan().write(net.valid_count, Tensor::of<std::int32_t>(Shape{}, std::array{std::int32_t{kBatch}}));
    CHECK(step.run(0.01).finite);
    const double first = step.plan().read_scalar(net.cross_entropy);
    CHECK(std::isfinite(first));
    CHECK(step.run(0.01).finite);
    CHECK(step.plan().read_scalar(net.cross_entropy) != first);
  }
}
