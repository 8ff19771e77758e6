#include "nets/lenet.h"

namespace fastnn {

Value build_lenet(Layers& n, Value images, const NetOptions& options) {
  Value x = n.conv2d(images, 32, {5, 5}, "conv1");
  x = n.max_pool2d(x, {2, 2}, 2, "pool1");
  x = n.conv2d(x, 64, {5, 5}, "conv2");
  x = n.max_pool2d(x, {2, 2}, 2, "pool2");
  x = n.flatten(x, "Flatten");
  x = n.fully_connected(x, 1024, "fc3");
  x = n.dropout(x, 0.5, "dropout3");
  return n.fully_connected(x, options.num_classes, "fc4", Layers::Activation::none);
}

}  // namespace fastnn
