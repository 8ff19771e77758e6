#include <fmt/format.h>

#include <algorithm>

#include "nets/mobilenet.h"

namespace fastnn {
namespace {

/// A depthwise 3x3 convolution of this stride and a 1x1 convolution to so many channels.
struct Separable {
  int stride;
  int channels;
};

constexpr Separable kBody[] = {{1, 64},  {2, 128}, {1, 128}, {2, 256}, {1, 256},  {2, 512}, {1, 512},
                               {1, 512}, {1, 512}, {1, 512}, {1, 512}, {2, 1024}, {1, 1024}};

NetOutputs build_at(Layers& n, Value images, const NetOptions& options, double width) {
  const auto scaled = [&](int channels) { return std::max(static_cast<int>(channels * width), 8); };
  const auto layer = [&](const std::string& name, Value value) { return n.end_point(name, value); };
  Value x = layer("Conv2d_0", n.conv2d(images, scaled(32), {3, 3}, "Conv2d_0", {.stride = 2}));
  for (int i = 1; const Separable& block : kBody) {
    const std::string depthwise = fmt::format("Conv2d_{}_depthwise", i);
    const std::string pointwise = fmt::format("Conv2d_{}_pointwise", i);
    x = layer(depthwise,
              n.depthwise_conv2d(x, {3, 3}, depthwise, {.stride = block.stride, .weights_l2 = L2::no}));
    x = layer(pointwise, n.conv2d(x, scaled(block.channels), {1, 1}, pointwise));
    ++i;
  }
  const Shape& map = n.graph().shape(x);
  const auto window = static_cast<int>(std::min<std::int64_t>(map[1], 7));
  const auto scope = n.scope("Logits");
  x = layer("AvgPool_1a", n.avg_pool2d(x, {window, window}, 2, "AvgPool_1a", Padding::valid));
  x = n.dropout(x, 0.999, "Dropout_1b");
  x = n.conv2d(x, options.num_classes, {1, 1}, "Conv2d_1c_1x1",
               {.activation = Activation::none, .normalizer = Normalizer::biases});
  return {n.spatial_squeeze(x, "SpatialSqueeze")};
}

/// Hundredths of the channels.
template <int kWidth>
NetOutputs build(Layers& n, Value images, const NetOptions& options) {
  return build_at(n, images, options, kWidth / 100.0);
}

NetEntry entry(const char* name, NetBuilder build) {
  return {.name = name,
          .scope = "MobilenetV1",
          .build = build,
          .defaults = {.weights = TruncatedNormalInitializer{0.0, 0.09},
                       .activation = Activation::relu6,
                       .batch_norm =
                           BatchNormDefaults{
                               .decay = 0.9997, .epsilon = 0.001, .scale = BatchNormScale::with_gamma}},
          .default_image_size = 224,
          .smallest_image_size = 4,
          .largest_image_size = 256,
          .preprocessing = "inception",
          .origin = "Howard et al. 2017, arXiv 1704.04861"};
}

}  // namespace

std::vector<NetEntry> mobilenet_v1_entries() {
  return {entry("mobilenet_v1", build<100>), entry("mobilenet_v1_075", build<75>),
          entry("mobilenet_v1_050", build<50>), entry("mobilenet_v1_025", build<25>)};
}

}  // namespace fastnn
