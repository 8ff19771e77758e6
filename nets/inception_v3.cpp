#include "nets/inception.h"

namespace fastnn {
namespace {

using inception::reduced_kernel;

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

/// Names of the convolutions of branch 1 of a 35x35 module.
struct Branch1Names {
  std::string reduced = "Conv2d_0a_1x1";
  std::string conv = "Conv2d_0b_5x5";
};

/// 35x35: the paper's figure 5, with a 5x5 left whole.
Value mixed_5(Layers& n, Value x, const std::string& name, std::int64_t pool_channels,
              const Branch1Names& names = {}) {
  const auto scope = n.scope(name);
  const Value b0 = n.conv2d(x, 64, {1, 1}, "Branch_0/Conv2d_0a_1x1");
  Value b1 = n.conv2d(x, 48, {1, 1}, "Branch_1/" + names.reduced);
  b1 = n.conv2d(b1, 64, {5, 5}, "Branch_1/" + names.conv);
  Value b2 = n.conv2d(x, 64, {1, 1}, "Branch_2/Conv2d_0a_1x1");
  b2 = n.conv2d(b2, 96, {3, 3}, "Branch_2/Conv2d_0b_3x3");
  b2 = n.conv2d(b2, 96, {3, 3}, "Branch_2/Conv2d_0c_3x3");
  Value b3 = n.avg_pool2d(x, {3, 3}, 1, "Branch_3/AvgPool_0a_3x3");
  b3 = n.conv2d(b3, pool_channels, {1, 1}, "Branch_3/Conv2d_0b_1x1");
  return n.end_point(name, n.concat({b0, b1, b2, b3}, "concat"));
}

/// 35x35 to 17x17. Slim calls the two 3x3 convolutions of stride 2 "1x1".
Value mixed_6a(Layers& n, Value x) {
  const auto scope = n.scope("Mixed_6a");
  const Value b0 = n.conv2d(x, 384, {3, 3}, "Branch_0/Conv2d_1a_1x1", kValidStride2);
  Value b1 = n.conv2d(x, 64, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.conv2d(b1, 96, {3, 3}, "Branch_1/Conv2d_0b_3x3");
  b1 = n.conv2d(b1, 96, {3, 3}, "Branch_1/Conv2d_1a_1x1", kValidStride2);
  const Value b2 = n.max_pool2d(x, {3, 3}, 2, "Branch_2/MaxPool_1a_3x3", Padding::valid);
  return n.end_point("Mixed_6a", n.concat({b0, b1, b2}, "concat"));
}

/// 17x17: the paper's figure 6, 7x7 convolutions as 1x7 and 7x1.
Value mixed_6(Layers& n, Value x, const std::string& name, std::int64_t channels) {
  const auto scope = n.scope(name);
  const Value b0 = n.conv2d(x, 192, {1, 1}, "Branch_0/Conv2d_0a_1x1");
  Value b1 = n.conv2d(x, channels, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.conv2d(b1, channels, {1, 7}, "Branch_1/Conv2d_0b_1x7");
  b1 = n.conv2d(b1, 192, {7, 1}, "Branch_1/Conv2d_0c_7x1");
  Value b2 = n.conv2d(x, channels, {1, 1}, "Branch_2/Conv2d_0a_1x1");
  b2 = n.conv2d(b2, channels, {7, 1}, "Branch_2/Conv2d_0b_7x1");
  b2 = n.conv2d(b2, channels, {1, 7}, "Branch_2/Conv2d_0c_1x7");
  b2 = n.conv2d(b2, channels, {7, 1}, "Branch_2/Conv2d_0d_7x1");
  b2 = n.conv2d(b2, 192, {1, 7}, "Branch_2/Conv2d_0e_1x7");
  Value b3 = n.avg_pool2d(x, {3, 3}, 1, "Branch_3/AvgPool_0a_3x3");
  b3 = n.conv2d(b3, 192, {1, 1}, "Branch_3/Conv2d_0b_1x1");
  return n.end_point(name, n.concat({b0, b1, b2, b3}, "concat"));
}

/// 17x17 to 8x8.
Value mixed_7a(Layers& n, Value x) {
  const auto scope = n.scope("Mixed_7a");
  Value b0 = n.conv2d(x, 192, {1, 1}, "Branch_0/Conv2d_0a_1x1");
  b0 = n.conv2d(b0, 320, {3, 3}, "Branch_0/Conv2d_1a_3x3", kValidStride2);
  Value b1 = n.conv2d(x, 192, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.conv2d(b1, 192, {1, 7}, "Branch_1/Conv2d_0b_1x7");
  b1 = n.conv2d(b1, 192, {7, 1}, "Branch_1/Conv2d_0c_7x1");
  b1 = n.conv2d(b1, 192, {3, 3}, "Branch_1/Conv2d_1a_3x3", kValidStride2);
  const Value b2 = n.max_pool2d(x, {3, 3}, 2, "Branch_2/MaxPool_1a_3x3", Padding::valid);
  return n.end_point("Mixed_7a", n.concat({b0, b1, b2}, "concat"));
}

/// 8x8: the paper's figure 7. Slim names the 3x1 convolution of branch 1 in two ways.
Value mixed_7(Layers& n, Value x, const std::string& name, const std::string& branch_1_3x1) {
  const auto scope = n.scope(name);
  const Value b0 = n.conv2d(x, 320, {1, 1}, "Branch_0/Conv2d_0a_1x1");
  Value b1 = n.conv2d(x, 384, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.concat({n.conv2d(b1, 384, {1, 3}, "Branch_1/Conv2d_0b_1x3"),
                 n.conv2d(b1, 384, {3, 1}, "Branch_1/" + branch_1_3x1)},
                "Branch_1/concat");
  Value b2 = n.conv2d(x, 448, {1, 1}, "Branch_2/Conv2d_0a_1x1");
  b2 = n.conv2d(b2, 384, {3, 3}, "Branch_2/Conv2d_0b_3x3");
  b2 = n.concat({n.conv2d(b2, 384, {1, 3}, "Branch_2/Conv2d_0c_1x3"),
                 n.conv2d(b2, 384, {3, 1}, "Branch_2/Conv2d_0d_3x1")},
                "Branch_2/concat");
  Value b3 = n.avg_pool2d(x, {3, 3}, 1, "Branch_3/AvgPool_0a_3x3");
  b3 = n.conv2d(b3, 192, {1, 1}, "Branch_3/Conv2d_0b_1x1");
  return n.end_point(name, n.concat({b0, b1, b2, b3}, "concat"));
}

/// On Mixed_6e. The name of the convolution over the whole map tells its size.
Value auxiliary_head(Layers& n, Value x, const NetOptions& options) {
  const auto scope = n.scope("AuxLogits");
  x = n.avg_pool2d(x, {5, 5}, 3, "AvgPool_1a_5x5", Padding::valid);
  x = n.conv2d(x, 128, {1, 1}, "Conv2d_1b_1x1");
  const Kernel kernel = reduced_kernel(n, x, {5, 5});
  x = n.conv2d(x, 768, kernel, fmt::format("Conv2d_2a_{}x{}", kernel[0], kernel[1]),
               {.padding = Padding::valid, .weights = TruncatedNormalInitializer{0.0, 0.01}});
  return inception::convolved_logits(n, x, "Conv2d_2b_1x1", options, TruncatedNormalInitializer{0.0, 0.001});
}

Value head(Layers& n, Value x, const NetOptions& options) {
  const auto scope = n.scope("Logits");
  const Kernel kernel = reduced_kernel(n, x, {8, 8});
  x = n.end_point("AvgPool_1a", n.avg_pool2d(x, kernel, 2, "AvgPool_1a", Padding::valid));
  x = n.end_point("PreLogits", n.dropout(x, 0.8, "Dropout_1b"));
  return inception::convolved_logits(n, x, "Conv2d_1c_1x1", options);
}

}  // namespace

NetOutputs build_inception_v3(Layers& n, Value images, const NetOptions& options) {
  Value x = stem(n, images);
  x = mixed_5(n, x, "Mixed_5b", 32);
  x = mixed_5(n, x, "Mixed_5c", 64, {"Conv2d_0b_1x1", "Conv_1_0c_5x5"});
  x = mixed_5(n, x, "Mixed_5d", 64);
  x = mixed_6a(n, x);
  x = mixed_6(n, x, "Mixed_6b", 128);
  x = mixed_6(n, x, "Mixed_6c", 160);
  x = mixed_6(n, x, "Mixed_6d", 160);
  x = mixed_6(n, x, "Mixed_6e", 192);
  const Value aux_logits = auxiliary_head(n, x, options);
  x = mixed_7a(n, x);
  x = mixed_7(n, x, "Mixed_7b", "Conv2d_0b_3x1");
  x = mixed_7(n, x, "Mixed_7c", "Conv2d_0c_3x1");
  return {head(n, x, options), aux_logits};
}

}  // namespace fastnn
