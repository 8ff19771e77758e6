#include "nets/inception.h"

namespace fastnn {
namespace {

/// Channels of an Inception module's branches: 1x1; 1x1 and 3x3; 1x1 and 3x3 (the paper's 5x5); pool, 1x1.
struct Module {
  std::int64_t branch_0;
  std::array<std::int64_t, 2> branch_1, branch_2;
  std::int64_t branch_3;
  /// Name of the last convolution of branch 2.
  std::string branch_2_conv = "Conv2d_0b_3x3";
};

Value mixed(Layers& n, Value x, const std::string& name, const Module& module) {
  const auto scope = n.scope(name);
  const auto [reduced_1, channels_1] = module.branch_1;
  const auto [reduced_2, channels_2] = module.branch_2;
  const Value b0 = n.conv2d(x, module.branch_0, {1, 1}, "Branch_0/Conv2d_0a_1x1");
  Value b1 = n.conv2d(x, reduced_1, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.conv2d(b1, channels_1, {3, 3}, "Branch_1/Conv2d_0b_3x3");
  Value b2 = n.conv2d(x, reduced_2, {1, 1}, "Branch_2/Conv2d_0a_1x1");
  b2 = n.conv2d(b2, channels_2, {3, 3}, "Branch_2/" + module.branch_2_conv);
  Value b3 = n.max_pool2d(x, {3, 3}, 1, "Branch_3/MaxPool_0a_3x3");
  b3 = n.conv2d(b3, module.branch_3, {1, 1}, "Branch_3/Conv2d_0b_1x1");
  return n.end_point(name, n.concat({b0, b1, b2, b3}, "concat"));
}

Value base(Layers& n, Value x) {
  x = inception::conv2d(n, x, 64, {7, 7}, "Conv2d_1a_7x7", {.stride = 2});
  x = inception::max_pool2d(n, x, {3, 3}, 2, "MaxPool_2a_3x3", Padding::same);
  x = inception::conv2d(n, x, 64, {1, 1}, "Conv2d_2b_1x1");
  x = inception::conv2d(n, x, 192, {3, 3}, "Conv2d_2c_3x3");
  x = inception::max_pool2d(n, x, {3, 3}, 2, "MaxPool_3a_3x3", Padding::same);
  x = mixed(n, x, "Mixed_3b", {64, {96, 128}, {16, 32}, 32});
  x = mixed(n, x, "Mixed_3c", {128, {128, 192}, {32, 96}, 64});
  x = inception::max_pool2d(n, x, {3, 3}, 2, "MaxPool_4a_3x3", Padding::same);
  x = mixed(n, x, "Mixed_4b", {192, {96, 208}, {16, 48}, 64});
  x = mixed(n, x, "Mixed_4c", {160, {112, 224}, {24, 64}, 64});
  x = mixed(n, x, "Mixed_4d", {128, {128, 256}, {24, 64}, 64});
  x = mixed(n, x, "Mixed_4e", {112, {144, 288}, {32, 64}, 64});
  x = mixed(n, x, "Mixed_4f", {256, {160, 320}, {32, 128}, 128});
  x = inception::max_pool2d(n, x, {2, 2}, 2, "MaxPool_5a_2x2", Padding::same);
  // Slim's own name, which its checkpoints hold.
  x = mixed(n, x, "Mixed_5b", {256, {160, 320}, {32, 128}, 128, "Conv2d_0a_3x3"});
  return mixed(n, x, "Mixed_5c", {384, {192, 384}, {48, 128}, 128});
}

}  // namespace

NetOutputs build_inception_v1(Layers& n, Value images, const NetOptions& options) {
  Value x = base(n, images);
  const auto scope = n.scope("Logits");
  x = n.end_point("AvgPool_0a_7x7", n.avg_pool2d(x, {7, 7}, 1, "AvgPool_0a_7x7", Padding::valid));
  x = n.dropout(x, 0.8, "Dropout_0b");
  return {inception::convolved_logits(n, x, "Conv2d_0c_1x1", options, VarianceScalingInitializer{})};
}

}  // namespace fastnn
