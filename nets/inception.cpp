#include "nets/inception.h"

#include <algorithm>

namespace fastnn {
namespace inception {

Value conv2d(Layers& n, Value x, std::int64_t channels, Kernel kernel, const std::string& name,
             ConvOptions options) {
  return n.end_point(name, n.conv2d(x, channels, kernel, name, std::move(options)));
}

Value max_pool2d(Layers& n, Value x, Kernel kernel, int stride, const std::string& name, Padding padding) {
  return n.end_point(name, n.max_pool2d(x, kernel, stride, name, padding));
}

Kernel reduced_kernel(const Layers& n, Value x, Kernel kernel) {
  const Kernel whole = n.whole_image(x);
  return {std::min(kernel[0], whole[0]), std::min(kernel[1], whole[1])};
}

Value logits(Layers& n, Value x, const std::string& name, const NetOptions& options) {
  return n.fully_connected(x, options.num_classes, name,
                           {.activation = Activation::none,
                            .normalizer = Normalizer::biases,
                            .weights = XavierUniformInitializer{}});
}

Value convolved_logits(Layers& n, Value x, const std::string& name, const NetOptions& options,
                       std::optional<Initializer> weights) {
  x = n.conv2d(
      x, options.num_classes, {1, 1}, name,
      {.activation = Activation::none, .normalizer = Normalizer::biases, .weights = std::move(weights)});
  return n.spatial_squeeze(x, name + "/SpatialSqueeze");
}

}  // namespace inception

namespace {

struct Sizes {
  std::int64_t by_default, smallest, largest;
};

NetEntry entry(std::string_view name, std::string_view scope, NetBuilder build, Sizes sizes,
               std::string_view origin) {
  return {.name = name,
          .scope = scope,
          .build = build,
          .defaults = {.weights = VarianceScalingInitializer{},
                       .pool_padding = Padding::same,
                       .batch_norm = BatchNormDefaults{.decay = 0.9997, .epsilon = 0.001}},
          .default_image_size = sizes.by_default,
          .smallest_image_size = sizes.smallest,
          .largest_image_size = sizes.largest,
          .preprocessing = "inception",
          .origin = origin};
}

NetEntry inception_v1_entry() {
  NetEntry net = entry("inception_v1", "InceptionV1", build_inception_v1, {224, 193, 224},
                       "Szegedy et al. 2014, as in TF-Slim");
  net.defaults.weights = TruncatedNormalInitializer{0.0, 0.01};
  return net;
}

NetEntry inception_resnet_v2_entry() {
  NetEntry net = entry("inception_resnet_v2", "InceptionResnetV2", build_inception_resnet_v2,
                       {299, 107, kAnyImageSize}, "Szegedy et al. 2016, as in TF-Slim");
  net.defaults.weights = XavierUniformInitializer{};
  net.defaults.biases_l2 = L2::yes;
  return net;
}

}  // namespace

std::vector<NetEntry> inception_entries() {
  return {inception_v1_entry(),
          entry("inception_v2", "InceptionV2", build_inception_v2, {224, 1, 256},
                "Ioffe, Szegedy 2015, as in TF-Slim"),
          entry("inception_v3", "InceptionV3", build_inception_v3, {299, 107, 346},
                "Szegedy et al. 2015, as in TF-Slim"),
          entry("inception_v4", "InceptionV4", build_inception_v4, {299, 107, kAnyImageSize},
                "Szegedy et al. 2016, as in TF-Slim"),
          inception_resnet_v2_entry()};
}

}  // namespace fastnn
