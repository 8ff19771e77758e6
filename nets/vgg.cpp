#include "nets/vgg.h"

namespace fastnn {
namespace {

/// 3x3 convolutions of each stage.
using Repeats = std::array<int, 5>;

Value stage(Layers& n, Value x, int number, std::int64_t channels, int repeats) {
  const std::string conv = fmt::format("conv{}", number);
  for (int i = 1; i <= repeats; ++i)
    x = n.conv2d(x, channels, {3, 3}, fmt::format("{}/{}_{}", conv, conv, i));
  return n.max_pool2d(x, {2, 2}, 2, fmt::format("pool{}", number));
}

NetOutputs vgg(Layers& n, Value x, const NetOptions& options, const Repeats& repeats) {
  x = stage(n, x, 1, 64, repeats[0]);
  x = stage(n, x, 2, 128, repeats[1]);
  x = stage(n, x, 3, 256, repeats[2]);
  x = stage(n, x, 4, 512, repeats[3]);
  x = stage(n, x, 5, 512, repeats[4]);
  x = n.conv2d(x, 4096, {7, 7}, "fc6", {.padding = Padding::valid});
  x = n.dropout(x, 0.5, "dropout6");
  x = n.conv2d(x, 4096, {1, 1}, "fc7");
  x = n.dropout(x, 0.5, "dropout7");
  x = n.conv2d(x, options.num_classes, {1, 1}, "fc8", {.activation = Activation::none});
  return {n.end_point(n.scoped("fc8"), n.spatial_squeeze(x, "fc8/squeezed"))};
}

NetOutputs build_vgg_a(Layers& n, Value images, const NetOptions& options) {
  return vgg(n, images, options, {1, 1, 2, 2, 2});
}

NetOutputs build_vgg_16(Layers& n, Value images, const NetOptions& options) {
  return vgg(n, images, options, {2, 2, 3, 3, 3});
}

NetOutputs build_vgg_19(Layers& n, Value images, const NetOptions& options) {
  return vgg(n, images, options, {2, 2, 4, 4, 4});
}

NetEntry entry(std::string_view name, NetBuilder build) {
  return {.name = name,
          .scope = name,
          .build = build,
          .defaults = {.weights = XavierUniformInitializer{}, .end_points = EndPoints::all_layers},
          .default_image_size = 224,
          .smallest_image_size = 224,
          .largest_image_size = 255,
          .preprocessing = "vgg",
          .predictions = "",
          .origin = "Simonyan, Zisserman 2014, as in TF-Slim"};
}

}  // namespace

std::vector<NetEntry> vgg_entries() {
  return {entry("vgg_a", build_vgg_a), entry("vgg_16", build_vgg_16), entry("vgg_19", build_vgg_19)};
}

}  // namespace fastnn
