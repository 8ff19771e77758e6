#include "nets/alexnet.h"

namespace fastnn {
namespace {

NetOutputs build_alexnet_v2(Layers& n, Value images, const NetOptions& options) {
  const Initializer dense = TruncatedNormalInitializer{0.0, 0.005};
  Value x = n.conv2d(images, 64, {11, 11}, "conv1", {.stride = 4, .padding = Padding::valid});
  x = n.max_pool2d(x, {3, 3}, 2, "pool1");
  x = n.conv2d(x, 192, {5, 5}, "conv2");
  x = n.max_pool2d(x, {3, 3}, 2, "pool2");
  x = n.conv2d(x, 384, {3, 3}, "conv3");
  x = n.conv2d(x, 384, {3, 3}, "conv4");
  x = n.conv2d(x, 256, {3, 3}, "conv5");
  x = n.max_pool2d(x, {3, 3}, 2, "pool5");
  x = n.conv2d(x, 4096, {5, 5}, "fc6", {.padding = Padding::valid, .weights = dense});
  x = n.dropout(x, 0.5, "dropout6");
  x = n.conv2d(x, 4096, {1, 1}, "fc7", {.weights = dense});
  x = n.dropout(x, 0.5, "dropout7");
  x = n.conv2d(x, options.num_classes, {1, 1}, "fc8",
               {.activation = Activation::none, .weights = dense, .biases = ConstantInitializer{0.0}});
  return {n.end_point(n.scoped("fc8"), n.spatial_squeeze(x, "fc8/squeezed"))};
}

}  // namespace

std::vector<NetEntry> alexnet_entries() {
  return {{.name = "alexnet_v2",
           .scope = "alexnet_v2",
           .build = build_alexnet_v2,
           .defaults = {.weights = XavierUniformInitializer{},
                        .biases = ConstantInitializer{0.1},
                        .end_points = EndPoints::all_layers},
           .default_image_size = 224,
           .smallest_image_size = 195,
           .largest_image_size = 226,
           .preprocessing = "inception",
           .predictions = "",
           .origin = "Krizhevsky 2014, as in TF-Slim"}};
}

}  // namespace fastnn
