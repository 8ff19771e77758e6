#include "nets/resnet.h"

#include <fmt/format.h>

#include <array>

namespace fastnn {
namespace {

/// Units of the four blocks.
using Depths = std::array<int, 4>;

/// Which unit of a block reduces the image.
enum class StridePlace { first_unit, last_unit };

struct Plan {
  Depths units;
  StridePlace stride_place = StridePlace::last_unit;
};

/// One bottleneck unit: 1x1 and 3x3 to 'base' channels, 1x1 to four times as many.
struct Unit {
  std::int64_t base;
  int stride;

  std::int64_t depth() const { return 4 * base; }
};

using Bottleneck = Value (*)(Layers&, Value, const Unit&);

const ConvOptions kLinear = {.activation = Activation::none};
const ConvOptions kPlain = {.activation = Activation::none, .normalizer = Normalizer::biases};

ConvOptions strided(ConvOptions options, int stride) {
  options.stride = stride;
  return options;
}

/// A layer that Slim registers as an end point under its scope.
Value layer(Layers& n, const std::string& name, Value value) {
  return n.end_point(n.scoped(name), value);
}

/// resnet_utils.subsample.
Value subsample(Layers& n, Value x, int stride) {
  return stride == 1 ? x : n.max_pool2d(x, {1, 1}, stride, "shortcut", Padding::valid);
}

/// The two reducing convolutions of a residual branch.
Value reduced(Layers& n, Value x, const Unit& unit) {
  x = layer(n, "conv1", n.conv2d(x, unit.base, {1, 1}, "conv1"));
  return layer(n, "conv2", n.conv2d_same(x, unit.base, 3, unit.stride, "conv2"));
}

Value bottleneck_v1(Layers& n, Value x, const Unit& unit) {
  const Value shortcut =
      n.channels(x) == unit.depth()
          ? subsample(n, x, unit.stride)
          : layer(n, "shortcut",
                  n.conv2d(x, unit.depth(), {1, 1}, "shortcut", strided(kLinear, unit.stride)));
  const Value residual =
      layer(n, "conv3", n.conv2d(reduced(n, x, unit), unit.depth(), {1, 1}, "conv3", kLinear));
  return n.activate(n.residual(shortcut, residual, "add"), Activation::relu, "add");
}

Value bottleneck_v2(Layers& n, Value x, const Unit& unit) {
  const Value preact = n.batch_norm(x, "preact", Activation::relu);
  const Value shortcut =
      n.channels(x) == unit.depth()
          ? subsample(n, x, unit.stride)
          : layer(n, "shortcut",
                  n.conv2d(preact, unit.depth(), {1, 1}, "shortcut", strided(kPlain, unit.stride)));
  const Value residual =
      layer(n, "conv3", n.conv2d(reduced(n, preact, unit), unit.depth(), {1, 1}, "conv3", kPlain));
  return n.residual(shortcut, residual, "add");
}

/// Blocks 1 to 4; each but the last halves the image (v1.5: each but the first).
Value blocks(Layers& n, Value x, const Plan& plan, Bottleneck bottleneck, const char* unit_name) {
  const bool at_last = plan.stride_place == StridePlace::last_unit;
  for (int b = 0; b < 4; ++b) {
    const auto block = n.scope(fmt::format("block{}", b + 1));
    const int units = plan.units[static_cast<std::size_t>(b)];
    const bool reduces = at_last ? b < 3 : b > 0;
    for (int u = 0; u < units; ++u) {
      const bool here = reduces && u == (at_last ? units - 1 : 0);
      const std::string name = fmt::format("unit_{}/{}", u + 1, unit_name);
      const auto scope = n.scope(name);
      x = bottleneck(n, x, {std::int64_t{64} << b, here ? 2 : 1});
      n.end_point(n.open_scope(), x);
    }
    n.end_point(n.open_scope(), x);
  }
  return x;
}

NetOutputs head(Layers& n, Value x, const NetOptions& options) {
  x = n.end_point("global_pool", n.global_avg_pool(x, "pool5"));
  x = layer(n, "logits", n.conv2d(x, options.num_classes, {1, 1}, "logits", kPlain));
  return {layer(n, "spatial_squeeze", n.spatial_squeeze(x, "spatial_squeeze"))};
}

NetOutputs build_v1(Layers& n, Value images, const NetOptions& options, const Plan& plan) {
  Value x = layer(n, "conv1", n.conv2d_same(images, 64, 7, 2, "conv1"));
  x = n.max_pool2d(x, {3, 3}, 2, "pool1");
  return head(n, blocks(n, x, plan, bottleneck_v1, "bottleneck_v1"), options);
}

NetOutputs build_v2(Layers& n, Value images, const NetOptions& options, const Plan& plan) {
  Value x = layer(n, "conv1", n.conv2d_same(images, 64, 7, 2, "conv1", kPlain));
  x = n.max_pool2d(x, {3, 3}, 2, "pool1");
  x = blocks(n, x, plan, bottleneck_v2, "bottleneck_v2");
  return head(n, n.batch_norm(x, "postnorm", Activation::relu), options);
}

constexpr Plan kPlan50 = {{3, 4, 6, 3}};
constexpr Plan kPlan101 = {{3, 4, 23, 3}};
constexpr Plan kPlan152 = {{3, 8, 36, 3}};
constexpr Plan kPlan200 = {{3, 24, 36, 3}};
constexpr Plan kPlan50v15 = {{3, 4, 6, 3}, StridePlace::first_unit};

template <NetOutputs (*kBuild)(Layers&, Value, const NetOptions&, const Plan&), const Plan& kPlan>
NetOutputs build(Layers& n, Value images, const NetOptions& options) {
  return kBuild(n, images, options, kPlan);
}

NetEntry entry(const char* name, NetBuilder build, const char* origin) {
  return {.name = name,
          .scope = name,
          .build = build,
          // Slim asks for 1e-5; TensorFlow 1's fused kernel took at least 1.001e-5.
          .defaults = {.weights = VarianceScalingInitializer{},
                       .pool_padding = Padding::same,
                       .batch_norm =
                           BatchNormDefaults{
                               .decay = 0.997, .epsilon = 1.001e-5, .scale = BatchNormScale::with_gamma}},
          .default_image_size = 224,
          .smallest_image_size = 4,
          .largest_image_size = kAnyImageSize,
          .preprocessing = "vgg",
          .predictions = "predictions",
          .origin = origin};
}

}  // namespace

std::vector<NetEntry> resnet_entries() {
  constexpr const char* kV1 = "He et al. 2015, arXiv 1512.03385";
  constexpr const char* kV2 = "He et al. 2016, arXiv 1603.05027";
  return {
      entry("resnet_v1_50", build<build_v1, kPlan50>, kV1),
      entry("resnet_v1_101", build<build_v1, kPlan101>, kV1),
      entry("resnet_v1_152", build<build_v1, kPlan152>, kV1),
      entry("resnet_v1_200", build<build_v1, kPlan200>, kV1),
      entry("resnet_v2_50", build<build_v2, kPlan50>, kV2),
      entry("resnet_v2_101", build<build_v2, kPlan101>, kV2),
      entry("resnet_v2_152", build<build_v2, kPlan152>, kV2),
      entry("resnet_v2_200", build<build_v2, kPlan200>, kV2),
      entry("resnet50_v1_5", build<build_v1, kPlan50v15>,
            "He et al. 2015 with the stride in the 3x3 convolutions, as in published throughput figures"),
  };
}

}  // namespace fastnn
