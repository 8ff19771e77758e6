#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "engine/graph/ops/softmax_cross_entropy.h"
#include "engine/passes/precision.h"
#include "nets/layers.h"
#include "nets/net_table.h"
#include "optim/training_step.h"
#include "tests/support/bf16.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/golden_net.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

constexpr std::int64_t kBatch = 32, kSize = 16, kClasses = 4;
constexpr int kSteps = 60, kLast = 20;

struct SmallNet {
  Graph graph;
  Value images, labels, valid_count, loss;
};

/// Convolution, batch norm, residual sum, pool, depthwise convolution, concat, dense layer.
SmallNet build_small_net() {
  SmallNet net;
  Graph& graph = net.graph;
  net.images = graph.add_input("images", {kBatch, kSize, kSize, 3});
  net.labels = graph.add_input("labels", {kBatch}, Dtype::s32);
  net.valid_count = graph.add_input("valid_count", {}, Dtype::s32);
  Layers n(graph, "Net", {.batch_size = kBatch, .num_classes = kClasses},
           {.batch_norm = BatchNormDefaults{.scale = BatchNormScale::with_gamma}});
  Value x = n.conv2d(net.images, 16, {3, 3}, "conv1");
  const Value r = n.conv2d(x, 16, {3, 3}, "conv2", {.activation = Activation::none});
  x = n.activate(n.residual(x, r, "sum"), Activation::relu, "relu");
  x = n.max_pool2d(x, {2, 2}, 2, "pool");
  x = n.concat({n.conv2d(x, 16, {1, 1}, "conv3"), n.depthwise_conv2d(x, {3, 3}, "depthwise")}, "concat");
  x = n.spatial_squeeze(n.global_avg_pool(x, "global_pool"), "squeeze");
  const Value logits = n.fully_connected(x, kClasses, "logits",
                                         {.activation = Activation::none, .normalizer = Normalizer::biases});
  net.loss = softmax_cross_entropy(
      graph, {.logits = logits, .labels = net.labels, .valid_count = net.valid_count}, 0, "loss");
  return net;
}

struct SmallBatch {
  std::vector<float> images;
  std::vector<std::int32_t> labels;
};

/// Stripes whose width is the class, in noise; every fifth label is another class, so that the loss stays
/// away from 0.
SmallBatch batch_of(int step) {
  SmallBatch batch;
  const auto noise = golden_values(fmt::format("bf16/{}", step), kBatch * kSize * kSize * 3);
  for (std::int64_t i = 0; i < kBatch * kSize * kSize * 3; ++i) {
    const std::int64_t n = i / (kSize * kSize * 3), column = i / 3 % kSize;
    const double frequency = static_cast<double>(n % kClasses + 1) / kSize;
    const double wave = std::sin(2 * std::numbers::pi * frequency * static_cast<double>(column));
    batch.images.push_back(static_cast<float>(0.5 * wave + noise[static_cast<std::size_t>(i)]));
  }
  for (std::int64_t n = 0; n < kBatch; ++n)
    batch.labels.push_back(static_cast<std::int32_t>((n + (n + step) % 5 / 4) % kClasses));
  return batch;
}

/// Mean loss of the last steps.
double train(Device& device, Dtype type) {
  SmallNet net = build_small_net();
  compute_in(net.graph, type);
  auto training = optim::differentiate(net.graph, net.loss);
  const auto optimizer = optim::make_optimizer("momentum", {});
  TrainState state(training.graph, training.parameters, device, optim::slot_specs(optimizer));
  optim::TrainingStep step(std::move(training), optimizer, state, {.keep = {net.loss}});
  state.initialize(1);
  step.load();
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    const SmallBatch batch = batch_of(i);
    step.plan().write(net.images, std::span<const float>(batch.images));
    step.plan().write(net.labels, std::span<const std::int32_t>(batch.labels));
    step.plan().write(net.valid_count, Tensor::of<std::int32_t>(Shape{}, std::array{std::int32_t{kBatch}}));
    CHECK(step.run(0.05).finite);
    if (i >= kSteps - kLast) sum += step.plan().read_scalar(net.loss);
  }
  return sum / kLast;
}

/// Predictions of an evaluation.
std::vector<double> predictions(Device& device, const char* name, std::int64_t image_size, Dtype type,
                                const std::vector<std::string>& disabled_passes = {}) {
  Network net = build_network(
      name, {.batch_size = 2, .num_classes = 5, .image_size = image_size, .mode = Mode::evaluation});
  compute_in(net.graph, type);
  run_passes(net.graph, {.keep = {net.predictions}, .disabled = disabled_passes});
  TrainState state(net.graph, net.graph.parameters(), device);
  set_golden_weights(state, "");
  Plan plan(net.graph, state, {.keep = {net.predictions}});
  plan.load();
  plan.write(net.images, golden_images("", 2, image_size));
  plan.write(net.labels, Tensor(Dtype::s32, {2}));
  plan.write(net.valid_count, Tensor::of<std::int32_t>(Shape{}, std::array{std::int32_t{2}}));
  plan.prepare();
  plan.run();
  const Tensor result = plan.read(net.predictions).as(Dtype::f64);
  return {result.values<double>().begin(), result.values<double>().end()};
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

TEST_CASE("bf16: a small net learns as it does in f32") {
  const auto device = make_device("cpu", 0);
  if (skip_without_bf16(*device)) return;
  const double wide = train(*device, Dtype::f32), narrow = train(*device, Dtype::bf16);
  INFO("f32 " << wide << ", bf16 " << narrow);
  CHECK(wide < 0.8 * std::log(static_cast<double>(kClasses)));
  CHECK(narrow != wide);
  CHECK(std::abs(narrow - wide) <= 0.05 * wide);
}

TEST_CASE("bf16: parameters, their gradients, statistics and the loss stay f32 unlike activations") {
  SmallNet net = build_small_net();
  CHECK(compute_in(net.graph, Dtype::bf16) == 2);
  const auto training = optim::differentiate(net.graph, net.loss);
  const Graph& graph = training.graph;
  CHECK(graph.info(net.loss).spec.dtype == Dtype::f32);
  for (const auto& [parameter, gradient] : training.gradients) {
    INFO(graph.name(parameter));
    CHECK(graph.info(parameter).spec.dtype == Dtype::f32);
    CHECK(graph.info(gradient).spec.dtype == Dtype::f32);
  }
  for (const Node& node : graph.nodes()) {
    INFO(node.name);
    const Dtype type = graph.info(node.outputs[0]).spec.dtype;
    if (node.operation->kind() == "batch_norm_statistics") CHECK(type == Dtype::f32);
    if (node.operation->kind() == "conv2d" || node.operation->kind() == "relu") CHECK(type == Dtype::bf16);
  }
}

TEST_CASE("bf16: no layer of a net falls to oneDNN's reference code") {
  const auto device = make_device("cpu", 0);
  if (skip_without_bf16(*device)) return;
  struct Row {
    const char* net;
    std::int64_t image_size;
  };
  for (const auto& [name, size] : {Row{"lenet", 28},
                                   {"cifarnet", 32},
                                   {"resnet_v1_50", 64},
                                   {"mobilenet_v1", 64},
                                   {"mobilenet_v2", 64},
                                   {"inception_v1", 193},
                                   {"nasnet_cifar", 32}}) {
    INFO(name);
    Network net = build_network(name, {.batch_size = 2, .image_size = size});
    compute_in(net.graph, Dtype::bf16);
    auto training = optim::differentiate(net.graph, net.loss);
    TrainState state(training.graph, training.parameters, *device);
    optim::rewrite(training, {.keep = {net.loss}, .disabled = {}});
    const Plan plan(training.graph, state, {.keep = {net.loss}, .gradients = training.gradients});
    for (const LaunchInfo& launch : plan.launches()) {
      INFO(launch.name << " " << launch.implementation);
      CHECK(launch.implementation.find("ref") == std::string::npos);
    }
  }
}

TEST_CASE("bf16: an evaluation whose layers are folded and fused is as near to f32 as one without") {
  const auto device = make_device("cpu", 0);
  if (skip_without_bf16(*device)) return;
  for (const auto& [name, size] : {std::pair{"resnet_v1_50", 64}, {"mobilenet_v2", 64}, {"lenet", 28}}) {
    const auto wide = predictions(*device, name, size, Dtype::f32);
    const auto fused = predictions(*device, name, size, Dtype::bf16);
    const auto plain =
        predictions(*device, name, size, Dtype::bf16, {"fold_batch_norm", "fuse_epilogue", "fuse_bias"});
    const double error = largest_difference(fused, wide), error_without = largest_difference(plain, wide);
    // Both are a sum of random roundings: two draws of it, and one more rounding of a probability.
    INFO(name << ": error " << error << ", without " << error_without);
    CHECK(error <= 3 * error_without + kernels::Bfloat16::kRounding);
  }
}
