#include "nets/lenet.h"

namespace fastnn {

NetOutputs build_lenet(Layers& n, Value images, const NetOptions& options) {
  Value x = n.end_point("conv1", n.conv2d(images, 32, {5, 5}, "conv1"));
  x = n.end_point("pool1", n.max_pool2d(x, {2, 2}, 2, "pool1"));
  x = n.end_point("conv2", n.conv2d(x, 64, {5, 5}, "conv2"));
  x = n.end_point("pool2", n.max_pool2d(x, {2, 2}, 2, "pool2"));
  x = n.end_point("Flatten", n.flatten(x, "Flatten"));
  x = n.end_point("fc3", n.fully_connected(x, 1024, "fc3"));
  x = n.end_point("dropout3", n.dropout(x, 0.5, "dropout3"));
  return {n.fully_connected(x, options.num_classes, "fc4", {.activation = Activation::none})};
}

}  // namespace fastnn
