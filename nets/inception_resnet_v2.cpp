#include "nets/inception.h"

namespace fastnn {
namespace {

const ConvOptions kValid = {.padding = Padding::valid};
const ConvOptions kValidStride2 = {.stride = 2, .padding = Padding::valid};

Value stem(Layers& n, Value x) {
  x = inception::conv2d(n, x, 32, {3, 3}, "Conv2d_1a_3x3", kValidStride2);
  x = inception::conv2d(n, x, 32, {3, 3}, "Conv2d_2a_3x3", kValid);
  x = inception::conv2d(n, x, 64, {3, 3}, "Conv2d_2b_3x3");
  x = inception::max_pool2d(n, x, {3, 3}, 2, "MaxPool_3a_3x3", Padding::valid);
  x = inception::conv2d(n, x, 80, {1, 1}, "Conv2d_3b_1x1", kValid);
  x = inception::conv2d(n, x, 192, {3, 3}, "Conv2d_4a_3x3", kValid);
  return inception::max_pool2d(n, x, {3, 3}, 2, "MaxPool_5a_3x3", Padding::valid);
}

/// 35x35: 320 channels.
Value mixed_5b(Layers& n, Value x) {
  const auto scope = n.scope("Mixed_5b");
  const Value b0 = n.conv2d(x, 96, {1, 1}, "Branch_0/Conv2d_1x1");
  Value b1 = n.conv2d(x, 48, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.conv2d(b1, 64, {5, 5}, "Branch_1/Conv2d_0b_5x5");
  Value b2 = n.conv2d(x, 64, {1, 1}, "Branch_2/Conv2d_0a_1x1");
  b2 = n.conv2d(b2, 96, {3, 3}, "Branch_2/Conv2d_0b_3x3");
  b2 = n.conv2d(b2, 96, {3, 3}, "Branch_2/Conv2d_0c_3x3");
  Value b3 = n.avg_pool2d(x, {3, 3}, 1, "Branch_3/AvgPool_0a_3x3");
  b3 = n.conv2d(b3, 64, {1, 1}, "Branch_3/Conv2d_0b_1x1");
  return n.end_point("Mixed_5b", n.concat({b0, b1, b2, b3}, "concat"));
}

/// How a block adds its branches to its input.
struct Residual {
  double scale = 1.0;
  Activation activation = Activation::relu;
};

/// activation(x + scale * (1x1 convolution of the branches, with biases and no batch norm)).
Value residual(Layers& n, Value x, std::vector<Value> branches, const Residual& residual) {
  const Value mixed = n.concat(std::move(branches), "concat");
  const Value up = n.conv2d(mixed, n.channels(x), {1, 1}, "Conv2d_1x1",
                            {.activation = Activation::none, .normalizer = Normalizer::biases});
  return n.activate(n.residual(x, up, "add", residual.scale), residual.activation, "add");
}

/// 35x35: the paper's figure 16.
Value block35(Layers& n, Value x, const std::string& name, const Residual& scaled) {
  const auto scope = n.scope(name);
  const Value b0 = n.conv2d(x, 32, {1, 1}, "Branch_0/Conv2d_1x1");
  Value b1 = n.conv2d(x, 32, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.conv2d(b1, 32, {3, 3}, "Branch_1/Conv2d_0b_3x3");
  Value b2 = n.conv2d(x, 32, {1, 1}, "Branch_2/Conv2d_0a_1x1");
  b2 = n.conv2d(b2, 48, {3, 3}, "Branch_2/Conv2d_0b_3x3");
  b2 = n.conv2d(b2, 64, {3, 3}, "Branch_2/Conv2d_0c_3x3");
  return residual(n, x, {b0, b1, b2}, scaled);
}

/// 35x35 to 17x17: 1088 channels.
Value mixed_6a(Layers& n, Value x) {
  const auto scope = n.scope("Mixed_6a");
  const Value b0 = n.conv2d(x, 384, {3, 3}, "Branch_0/Conv2d_1a_3x3", kValidStride2);
  Value b1 = n.conv2d(x, 256, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.conv2d(b1, 256, {3, 3}, "Branch_1/Conv2d_0b_3x3");
  b1 = n.conv2d(b1, 384, {3, 3}, "Branch_1/Conv2d_1a_3x3", kValidStride2);
  const Value b2 = n.max_pool2d(x, {3, 3}, 2, "Branch_2/MaxPool_1a_3x3", Padding::valid);
  return n.end_point("Mixed_6a", n.concat({b0, b1, b2}, "concat"));
}

/// 17x17: figure 17.
Value block17(Layers& n, Value x, const std::string& name, const Residual& scaled) {
  const auto scope = n.scope(name);
  const Value b0 = n.conv2d(x, 192, {1, 1}, "Branch_0/Conv2d_1x1");
  Value b1 = n.conv2d(x, 128, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.conv2d(b1, 160, {1, 7}, "Branch_1/Conv2d_0b_1x7");
  b1 = n.conv2d(b1, 192, {7, 1}, "Branch_1/Conv2d_0c_7x1");
  return residual(n, x, {b0, b1}, scaled);
}

/// 17x17 to 8x8: figure 18, 2080 channels.
Value mixed_7a(Layers& n, Value x) {
  const auto scope = n.scope("Mixed_7a");
  Value b0 = n.conv2d(x, 256, {1, 1}, "Branch_0/Conv2d_0a_1x1");
  b0 = n.conv2d(b0, 384, {3, 3}, "Branch_0/Conv2d_1a_3x3", kValidStride2);
  Value b1 = n.conv2d(x, 256, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.conv2d(b1, 288, {3, 3}, "Branch_1/Conv2d_1a_3x3", kValidStride2);
  Value b2 = n.conv2d(x, 256, {1, 1}, "Branch_2/Conv2d_0a_1x1");
  b2 = n.conv2d(b2, 288, {3, 3}, "Branch_2/Conv2d_0b_3x3");
  b2 = n.conv2d(b2, 320, {3, 3}, "Branch_2/Conv2d_1a_3x3", kValidStride2);
  const Value b3 = n.max_pool2d(x, {3, 3}, 2, "Branch_3/MaxPool_1a_3x3", Padding::valid);
  return n.end_point("Mixed_7a", n.concat({b0, b1, b2, b3}, "concat"));
}

/// 8x8: figure 19.
Value block8(Layers& n, Value x, const std::string& name, const Residual& scaled) {
  const auto scope = n.scope(name);
  const Value b0 = n.conv2d(x, 192, {1, 1}, "Branch_0/Conv2d_1x1");
  Value b1 = n.conv2d(x, 192, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.conv2d(b1, 224, {1, 3}, "Branch_1/Conv2d_0b_1x3");
  b1 = n.conv2d(b1, 256, {3, 1}, "Branch_1/Conv2d_0c_3x1");
  return residual(n, x, {b0, b1}, scaled);
}

using Block = Value (*)(Layers&, Value, const std::string&, const Residual&);

/// slim.repeat: <scope>/<name>_1 to <scope>/<name>_<count>.
Value repeat(Layers& n, Value x, int count, const std::string& scope_and_name, Block block, double scale) {
  for (int i = 1; i <= count; ++i) x = block(n, x, fmt::format("{}_{}", scope_and_name, i), {.scale = scale});
  return x;
}

Value auxiliary_head(Layers& n, Value x, const NetOptions& options) {
  const auto scope = n.scope("AuxLogits");
  x = n.avg_pool2d(x, {5, 5}, 3, "Conv2d_1a_3x3", Padding::valid);
  x = n.conv2d(x, 128, {1, 1}, "Conv2d_1b_1x1");
  x = n.conv2d(x, 768, n.whole_image(x), "Conv2d_2a_5x5", kValid);
  return inception::logits(n, n.flatten(x, "Flatten"), "Logits", options);
}

Value head(Layers& n, Value x, const NetOptions& options) {
  const auto scope = n.scope("Logits");
  x = n.end_point("global_pool", n.global_avg_pool(x, "AvgPool_1a_8x8"));
  x = n.end_point("PreLogitsFlatten", n.flatten(x, "Flatten"));
  x = n.dropout(x, 0.8, "Dropout");
  return inception::logits(n, x, "Logits", options);
}

}  // namespace

NetOutputs build_inception_resnet_v2(Layers& n, Value images, const NetOptions& options) {
  Value x = mixed_5b(n, stem(n, images));
  x = repeat(n, x, 10, "Repeat/block35", block35, 0.17);
  x = mixed_6a(n, x);
  x = n.end_point("PreAuxLogits", repeat(n, x, 20, "Repeat_1/block17", block17, 0.10));
  const Value aux_logits = auxiliary_head(n, x, options);
  x = mixed_7a(n, x);
  x = repeat(n, x, 9, "Repeat_2/block8", block8, 0.20);
  x = block8(n, x, "Block8", {.activation = Activation::none});
  x = inception::conv2d(n, x, 1536, {1, 1}, "Conv2d_7b_1x1");
  return {head(n, x, options), aux_logits};
}

}  // namespace fastnn
