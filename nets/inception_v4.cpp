#include "nets/inception.h"

namespace fastnn {
namespace {

const ConvOptions kValid = {.padding = Padding::valid};
const ConvOptions kValidStride2 = {.stride = 2, .padding = Padding::valid};

Value mixed_3a(Layers& n, Value x) {
  const auto scope = n.scope("Mixed_3a");
  const Value b0 = n.max_pool2d(x, {3, 3}, 2, "Branch_0/MaxPool_0a_3x3", Padding::valid);
  const Value b1 = n.conv2d(x, 96, {3, 3}, "Branch_1/Conv2d_0a_3x3", kValidStride2);
  return n.end_point("Mixed_3a", n.concat({b0, b1}, "concat"));
}

Value mixed_4a(Layers& n, Value x) {
  const auto scope = n.scope("Mixed_4a");
  Value b0 = n.conv2d(x, 64, {1, 1}, "Branch_0/Conv2d_0a_1x1");
  b0 = n.conv2d(b0, 96, {3, 3}, "Branch_0/Conv2d_1a_3x3", kValid);
  Value b1 = n.conv2d(x, 64, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.conv2d(b1, 64, {1, 7}, "Branch_1/Conv2d_0b_1x7");
  b1 = n.conv2d(b1, 64, {7, 1}, "Branch_1/Conv2d_0c_7x1");
  b1 = n.conv2d(b1, 96, {3, 3}, "Branch_1/Conv2d_1a_3x3", kValid);
  return n.end_point("Mixed_4a", n.concat({b0, b1}, "concat"));
}

Value mixed_5a(Layers& n, Value x) {
  const auto scope = n.scope("Mixed_5a");
  const Value b0 = n.conv2d(x, 192, {3, 3}, "Branch_0/Conv2d_1a_3x3", kValidStride2);
  const Value b1 = n.max_pool2d(x, {3, 3}, 2, "Branch_1/MaxPool_1a_3x3", Padding::valid);
  return n.end_point("Mixed_5a", n.concat({b0, b1}, "concat"));
}

/// The paper's figure 3.
Value stem(Layers& n, Value x) {
  x = inception::conv2d(n, x, 32, {3, 3}, "Conv2d_1a_3x3", kValidStride2);
  x = inception::conv2d(n, x, 32, {3, 3}, "Conv2d_2a_3x3", kValid);
  x = inception::conv2d(n, x, 64, {3, 3}, "Conv2d_2b_3x3");
  return mixed_5a(n, mixed_4a(n, mixed_3a(n, x)));
}

/// 35x35: figure 4.
Value block_a(Layers& n, Value x, const std::string& name) {
  const auto scope = n.scope(name);
  const Value b0 = n.conv2d(x, 96, {1, 1}, "Branch_0/Conv2d_0a_1x1");
  Value b1 = n.conv2d(x, 64, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.conv2d(b1, 96, {3, 3}, "Branch_1/Conv2d_0b_3x3");
  Value b2 = n.conv2d(x, 64, {1, 1}, "Branch_2/Conv2d_0a_1x1");
  b2 = n.conv2d(b2, 96, {3, 3}, "Branch_2/Conv2d_0b_3x3");
  b2 = n.conv2d(b2, 96, {3, 3}, "Branch_2/Conv2d_0c_3x3");
  Value b3 = n.avg_pool2d(x, {3, 3}, 1, "Branch_3/AvgPool_0a_3x3");
  b3 = n.conv2d(b3, 96, {1, 1}, "Branch_3/Conv2d_0b_1x1");
  return n.end_point(name, n.concat({b0, b1, b2, b3}, "concat"));
}

/// 35x35 to 17x17: figure 7.
Value reduction_a(Layers& n, Value x) {
  const auto scope = n.scope("Mixed_6a");
  const Value b0 = n.conv2d(x, 384, {3, 3}, "Branch_0/Conv2d_1a_3x3", kValidStride2);
  Value b1 = n.conv2d(x, 192, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.conv2d(b1, 224, {3, 3}, "Branch_1/Conv2d_0b_3x3");
  b1 = n.conv2d(b1, 256, {3, 3}, "Branch_1/Conv2d_1a_3x3", kValidStride2);
  const Value b2 = n.max_pool2d(x, {3, 3}, 2, "Branch_2/MaxPool_1a_3x3", Padding::valid);
  return n.end_point("Mixed_6a", n.concat({b0, b1, b2}, "concat"));
}

/// 17x17: figure 5.
Value block_b(Layers& n, Value x, const std::string& name) {
  const auto scope = n.scope(name);
  const Value b0 = n.conv2d(x, 384, {1, 1}, "Branch_0/Conv2d_0a_1x1");
  Value b1 = n.conv2d(x, 192, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.conv2d(b1, 224, {1, 7}, "Branch_1/Conv2d_0b_1x7");
  b1 = n.conv2d(b1, 256, {7, 1}, "Branch_1/Conv2d_0c_7x1");
  Value b2 = n.conv2d(x, 192, {1, 1}, "Branch_2/Conv2d_0a_1x1");
  b2 = n.conv2d(b2, 192, {7, 1}, "Branch_2/Conv2d_0b_7x1");
  b2 = n.conv2d(b2, 224, {1, 7}, "Branch_2/Conv2d_0c_1x7");
  b2 = n.conv2d(b2, 224, {7, 1}, "Branch_2/Conv2d_0d_7x1");
  b2 = n.conv2d(b2, 256, {1, 7}, "Branch_2/Conv2d_0e_1x7");
  Value b3 = n.avg_pool2d(x, {3, 3}, 1, "Branch_3/AvgPool_0a_3x3");
  b3 = n.conv2d(b3, 128, {1, 1}, "Branch_3/Conv2d_0b_1x1");
  return n.end_point(name, n.concat({b0, b1, b2, b3}, "concat"));
}

/// 17x17 to 8x8: figure 8.
Value reduction_b(Layers& n, Value x) {
  const auto scope = n.scope("Mixed_7a");
  Value b0 = n.conv2d(x, 192, {1, 1}, "Branch_0/Conv2d_0a_1x1");
  b0 = n.conv2d(b0, 192, {3, 3}, "Branch_0/Conv2d_1a_3x3", kValidStride2);
  Value b1 = n.conv2d(x, 256, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.conv2d(b1, 256, {1, 7}, "Branch_1/Conv2d_0b_1x7");
  b1 = n.conv2d(b1, 320, {7, 1}, "Branch_1/Conv2d_0c_7x1");
  b1 = n.conv2d(b1, 320, {3, 3}, "Branch_1/Conv2d_1a_3x3", kValidStride2);
  const Value b2 = n.max_pool2d(x, {3, 3}, 2, "Branch_2/MaxPool_1a_3x3", Padding::valid);
  return n.end_point("Mixed_7a", n.concat({b0, b1, b2}, "concat"));
}

/// 8x8: figure 6.
Value block_c(Layers& n, Value x, const std::string& name) {
  const auto scope = n.scope(name);
  const Value b0 = n.conv2d(x, 256, {1, 1}, "Branch_0/Conv2d_0a_1x1");
  Value b1 = n.conv2d(x, 384, {1, 1}, "Branch_1/Conv2d_0a_1x1");
  b1 = n.concat({n.conv2d(b1, 256, {1, 3}, "Branch_1/Conv2d_0b_1x3"),
                 n.conv2d(b1, 256, {3, 1}, "Branch_1/Conv2d_0c_3x1")},
                "Branch_1/concat");
  Value b2 = n.conv2d(x, 384, {1, 1}, "Branch_2/Conv2d_0a_1x1");
  b2 = n.conv2d(b2, 448, {3, 1}, "Branch_2/Conv2d_0b_3x1");
  b2 = n.conv2d(b2, 512, {1, 3}, "Branch_2/Conv2d_0c_1x3");
  b2 = n.concat({n.conv2d(b2, 256, {1, 3}, "Branch_2/Conv2d_0d_1x3"),
                 n.conv2d(b2, 256, {3, 1}, "Branch_2/Conv2d_0e_3x1")},
                "Branch_2/concat");
  Value b3 = n.avg_pool2d(x, {3, 3}, 1, "Branch_3/AvgPool_0a_3x3");
  b3 = n.conv2d(b3, 256, {1, 1}, "Branch_3/Conv2d_0b_1x1");
  return n.end_point(name, n.concat({b0, b1, b2, b3}, "concat"));
}

/// On Mixed_6h.
Value auxiliary_head(Layers& n, Value x, const NetOptions& options) {
  const auto scope = n.scope("AuxLogits");
  x = n.avg_pool2d(x, {5, 5}, 3, "AvgPool_1a_5x5", Padding::valid);
  x = n.conv2d(x, 128, {1, 1}, "Conv2d_1b_1x1");
  x = n.conv2d(x, 768, n.whole_image(x), "Conv2d_2a", kValid);
  return inception::logits(n, n.flatten(x, "Flatten"), "Aux_logits", options);
}

Value head(Layers& n, Value x, const NetOptions& options) {
  const auto scope = n.scope("Logits");
  x = n.end_point("global_pool", n.global_avg_pool(x, "AvgPool_1a"));
  x = n.dropout(x, 0.8, "Dropout_1b");
  x = n.end_point("PreLogitsFlatten", n.flatten(x, "PreLogitsFlatten"));
  return inception::logits(n, x, "Logits", options);
}

}  // namespace

NetOutputs build_inception_v4(Layers& n, Value images, const NetOptions& options) {
  Value x = stem(n, images);
  for (const char* name : {"Mixed_5b", "Mixed_5c", "Mixed_5d", "Mixed_5e"}) x = block_a(n, x, name);
  x = reduction_a(n, x);
  for (const char* name :
       {"Mixed_6b", "Mixed_6c", "Mixed_6d", "Mixed_6e", "Mixed_6f", "Mixed_6g", "Mixed_6h"})
    x = block_b(n, x, name);
  const Value aux_logits = auxiliary_head(n, x, options);
  x = reduction_b(n, x);
  for (const char* name : {"Mixed_7b", "Mixed_7c", "Mixed_7d"}) x = block_c(n, x, name);
  return {head(n, x, options), aux_logits};
}

}  // namespace fastnn
