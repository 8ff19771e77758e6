#include "nets/cifarnet.h"

namespace fastnn {
namespace {

constexpr LrnAttributes kNormalisation = {.depth_radius = 4, .bias = 1.0, .alpha = 0.001 / 9.0, .beta = 0.75};
const ConvOptions kDense = {.weights = TruncatedNormalInitializer{0.0, 0.04},
                            .biases = ConstantInitializer{0.1},
                            .weights_l2 = L2::yes};
const ConvOptions kLogits = {.activation = Activation::none,
                             .weights = TruncatedNormalInitializer{0.0, 1 / 192.0}};

NetOutputs build_cifarnet(Layers& n, Value images, const NetOptions& options) {
  Value x = n.end_point("conv1", n.conv2d(images, 64, {5, 5}, "conv1"));
  x = n.end_point("pool1", n.max_pool2d(x, {2, 2}, 2, "pool1"));
  x = n.lrn(x, kNormalisation, "norm1");
  x = n.end_point("conv2", n.conv2d(x, 64, {5, 5}, "conv2"));
  x = n.lrn(x, kNormalisation, "norm2");
  x = n.end_point("pool2", n.max_pool2d(x, {2, 2}, 2, "pool2"));
  x = n.end_point("Flatten", n.flatten(x, "Flatten"));
  x = n.end_point("fc3", n.fully_connected(x, 384, "fc3", kDense));
  x = n.dropout(x, 0.5, "dropout3");
  x = n.end_point("fc4", n.fully_connected(x, 192, "fc4", kDense));
  return {n.fully_connected(x, options.num_classes, "logits", kLogits)};
}

}  // namespace

std::vector<NetEntry> cifarnet_entries() {
  return {{.name = "cifarnet",
           .scope = "CifarNet",
           .build = build_cifarnet,
           .defaults = {.weights = TruncatedNormalInitializer{0.0, 0.05}, .weights_l2 = L2::no},
           .default_image_size = 32,
           .smallest_image_size = 4,
           .largest_image_size = kAnyImageSize,
           .preprocessing = "cifarnet",
           .origin = "Krizhevsky's cuda-convnet, as in TF-Slim"}};
}

}  // namespace fastnn
