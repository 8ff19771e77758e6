#include "nets/inception.h"

namespace fastnn {
namespace {

using inception::reduced_kernel;

ConvOptions normal(double stddev) {
  return {.weights = TruncatedNormalInitializer{0.0, stddev}};
}

enum class Pool { average, max };

/// Channels of an Inception module's branches: 1x1; 1x1, 3x3; 1x1, 3x3, 3x3; pool, 1x1.
struct Module {
  std::int64_t branch_0;
  std::array<std::int64_t, 2> branch_1, branch_2;
  std::int64_t branch_3;
  Pool pool = Pool::average;
};

Value mixed(Layers& n, Value x, const std::string& name, const Module& module) {
  const auto scope = n.scope(name);
  const auto [reduced_1, channels_1] = module.branch_1;
  const auto [reduced_2, channels_2] = module.branch_2;
  const Value b0 = n.conv2d(x, module.branch_0, {1, 1}, "Branch_0/Conv2d_0a_1x1");
  Value b1 = n.conv2d(x, reduced_1, {1, 1}, "Branch_1/Conv2d_0a_1x1", normal(0.09));
  b1 = n.conv2d(b1, channels_1, {3, 3}, "Branch_1/Conv2d_0b_3x3");
  Value b2 = n.conv2d(x, reduced_2, {1, 1}, "Branch_2/Conv2d_0a_1x1", normal(0.09));
  b2 = n.conv2d(b2, channels_2, {3, 3}, "Branch_2/Conv2d_0b_3x3");
  b2 = n.conv2d(b2, channels_2, {3, 3}, "Branch_2/Conv2d_0c_3x3");
  Value b3 = module.pool == Pool::average ? n.avg_pool2d(x, {3, 3}, 1, "Branch_3/AvgPool_0a_3x3")
                                          : n.max_pool2d(x, {3, 3}, 1, "Branch_3/MaxPool_0a_3x3");
  b3 = n.conv2d(b3, module.branch_3, {1, 1}, "Branch_3/Conv2d_0b_1x1", normal(0.1));
  return n.end_point(name, n.concat({b0, b1, b2, b3}, "concat"));
}

/// A module that halves the image: 1x1, 3x3/2; 1x1, 3x3, 3x3/2; max pool.
Value reduction(Layers& n, Value x, const std::string& name, const std::array<std::int64_t, 2>& branch_0,
                const std::array<std::int64_t, 2>& branch_1) {
  const auto scope = n.scope(name);
  Value b0 = n.conv2d(x, branch_0[0], {1, 1}, "Branch_0/Conv2d_0a_1x1", normal(0.09));
  b0 = n.conv2d(b0, branch_0[1], {3, 3}, "Branch_0/Conv2d_1a_3x3", {.stride = 2});
  Value b1 = n.conv2d(x, branch_1[0], {1, 1}, "Branch_1/Conv2d_0a_1x1", normal(0.09));
  b1 = n.conv2d(b1, branch_1[1], {3, 3}, "Branch_1/Conv2d_0b_3x3");
  b1 = n.conv2d(b1, branch_1[1], {3, 3}, "Branch_1/Conv2d_1a_3x3", {.stride = 2});
  const Value b2 = n.max_pool2d(x, {3, 3}, 2, "Branch_2/MaxPool_1a_3x3");
  return n.end_point(name, n.concat({b0, b1, b2}, "concat"));
}

Value stem(Layers& n, Value x) {
  x = n.separable_conv2d(x, 64, {7, 7}, 8, "Conv2d_1a_7x7",
                         {.stride = 2,
                          .normalizer = Normalizer::biases,
                          .weights = TruncatedNormalInitializer{0.0, 1.0},
                          .weights_l2 = L2::no});
  x = n.end_point("Conv2d_1a_7x7", x);
  x = inception::max_pool2d(n, x, {3, 3}, 2, "MaxPool_2a_3x3", Padding::same);
  x = inception::conv2d(n, x, 64, {1, 1}, "Conv2d_2b_1x1", normal(0.1));
  x = inception::conv2d(n, x, 192, {3, 3}, "Conv2d_2c_3x3");
  return inception::max_pool2d(n, x, {3, 3}, 2, "MaxPool_3a_3x3", Padding::same);
}

Value base(Layers& n, Value images) {
  Value x = stem(n, images);
  x = mixed(n, x, "Mixed_3b", {64, {64, 64}, {64, 96}, 32});
  x = mixed(n, x, "Mixed_3c", {64, {64, 96}, {64, 96}, 64});
  x = reduction(n, x, "Mixed_4a", {128, 160}, {64, 96});
  x = mixed(n, x, "Mixed_4b", {224, {64, 96}, {96, 128}, 128});
  x = mixed(n, x, "Mixed_4c", {192, {96, 128}, {96, 128}, 128});
  x = mixed(n, x, "Mixed_4d", {160, {128, 160}, {128, 160}, 96});
  x = mixed(n, x, "Mixed_4e", {96, {128, 192}, {160, 192}, 96});
  x = reduction(n, x, "Mixed_5a", {128, 192}, {192, 256});
  x = mixed(n, x, "Mixed_5b", {352, {192, 320}, {160, 224}, 128});
  return mixed(n, x, "Mixed_5c", {352, {192, 320}, {192, 224}, 128, Pool::max});
}

}  // namespace

NetOutputs build_inception_v2(Layers& n, Value images, const NetOptions& options) {
  Value x = base(n, images);
  const auto scope = n.scope("Logits");
  const Kernel kernel = reduced_kernel(n, x, {7, 7});
  x = n.end_point("AvgPool_1a", n.avg_pool2d(x, kernel, 2, "AvgPool_1a", Padding::valid));
  x = n.dropout(x, 0.8, "Dropout_1b");
  return {inception::convolved_logits(n, x, "Conv2d_1c_1x1", options)};
}

}  // namespace fastnn
