#include "nets/overfeat.h"

namespace fastnn {
namespace {

NetOutputs build_overfeat(Layers& n, Value images, const NetOptions& options) {
  const Initializer dense = TruncatedNormalInitializer{0.0, 0.005};
  const Initializer dense_biases = ConstantInitializer{0.1};
  Value x = n.conv2d(images, 64, {11, 11}, "conv1", {.stride = 4, .padding = Padding::valid});
  x = n.max_pool2d(x, {2, 2}, 2, "pool1");
  x = n.conv2d(x, 256, {5, 5}, "conv2", {.padding = Padding::valid});
  x = n.max_pool2d(x, {2, 2}, 2, "pool2");
  x = n.conv2d(x, 512, {3, 3}, "conv3");
  x = n.conv2d(x, 1024, {3, 3}, "conv4");
  x = n.conv2d(x, 1024, {3, 3}, "conv5");
  x = n.max_pool2d(x, {2, 2}, 2, "pool5");
  x = n.conv2d(x, 3072, {6, 6}, "fc6", {.padding = Padding::valid, .weights = dense, .biases = dense_biases});
  x = n.dropout(x, 0.5, "dropout6");
  x = n.conv2d(x, 4096, {1, 1}, "fc7", {.weights = dense, .biases = dense_biases});
  x = n.dropout(x, 0.5, "dropout7");
  x = n.conv2d(x, options.num_classes, {1, 1}, "fc8", {.activation = Activation::none, .weights = dense});
  return {n.end_point(n.scoped("fc8"), n.spatial_squeeze(x, "fc8/squeezed"))};
}

}  // namespace

std::vector<NetEntry> overfeat_entries() {
  return {{.name = "overfeat",
           .scope = "overfeat",
           .build = build_overfeat,
           .defaults = {.weights = XavierUniformInitializer{}, .end_points = EndPoints::all_layers},
           .default_image_size = 231,
           .smallest_image_size = 231,
           .largest_image_size = 262,
           .preprocessing = "inception",
           .predictions = "",
           .origin = "Sermanet et al. 2014, as in TF-Slim"}};
}

}  // namespace fastnn
