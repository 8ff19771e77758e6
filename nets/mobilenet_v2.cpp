#include <fmt/format.h>

#include <algorithm>

#include "nets/mobilenet.h"

namespace fastnn {
namespace {

/// So many inverted residuals, the first with this stride: the paper's table 2.
struct Stage {
  int expansion;
  int channels;
  int repeats;
  int stride;
};

constexpr Stage kBody[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                           {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
constexpr int kLastChannels = 1280;

const ConvOptions kLinear = {.activation = Activation::none};

/// Slim's _make_divisible: the nearest multiple of 8, at least 8, not more than a tenth below.
std::int64_t divisible_by_8(double channels) {
  const auto rounded = std::max<std::int64_t>(8, static_cast<std::int64_t>(channels + 4) / 8 * 8);
  return static_cast<double>(rounded) < 0.9 * channels ? rounded + 8 : rounded;
}

struct Block {
  int expansion;
  std::int64_t channels;
  int stride;
  /// Of its end points: "layer_3".
  std::string layer;
};

Value inverted_residual(Layers& n, Value input, const Block& block) {
  Value x = input;
  if (block.expansion > 1) {
    const auto expanded = divisible_by_8(static_cast<double>(n.channels(x) * block.expansion));
    x = n.end_point(block.layer + "/expansion_output", n.conv2d(x, expanded, {1, 1}, "expand"));
  }
  x = n.depthwise_conv2d(x, {3, 3}, "depthwise", {.stride = block.stride, .weights_l2 = L2::no});
  n.end_point(block.layer + "/depthwise_output", x);
  x = n.conv2d(x, block.channels, {1, 1}, "project", kLinear);
  if (block.stride == 1 && n.channels(input) == block.channels) x = n.residual(input, x, "add");
  n.end_point(block.layer, x);
  return n.end_point(block.layer + "/output", x);
}

Value body(Layers& n, Value x, double width) {
  int block = 0;
  for (const Stage& stage : kBody)
    for (int i = 0; i < stage.repeats; ++i, ++block) {
      const auto scope = n.scope(block == 0 ? "expanded_conv" : fmt::format("expanded_conv_{}", block));
      x = inverted_residual(n, x,
                            {.expansion = stage.expansion,
                             .channels = divisible_by_8(stage.channels * width),
                             .stride = i == 0 ? stage.stride : 1,
                             .layer = fmt::format("layer_{}", block + 2)});
    }
  return x;
}

NetOutputs build_at(Layers& n, Value images, const NetOptions& options, double width) {
  Value x =
      n.end_point("layer_1", n.conv2d(images, divisible_by_8(32 * width), {3, 3}, "Conv", {.stride = 2}));
  x = body(n, x, width);
  // Below 1.0 the last layer keeps its width.
  const std::int64_t last = divisible_by_8(kLastChannels * std::max(width, 1.0));
  x = n.end_point("layer_19", n.conv2d(x, last, {1, 1}, "Conv_1"));
  const auto scope = n.scope("Logits");
  x = n.end_point("global_pool", n.global_avg_pool(x, "AvgPool"));
  x = n.dropout(x, 0.8, "Dropout");
  x = n.conv2d(x, options.num_classes, {1, 1}, "Conv2d_1c_1x1",
               {.activation = Activation::none, .normalizer = Normalizer::biases});
  return {n.spatial_squeeze(x, "Squeeze")};
}

/// Hundredths of the channels.
template <int kWidth>
NetOutputs build(Layers& n, Value images, const NetOptions& options) {
  return build_at(n, images, options, kWidth / 100.0);
}

NetEntry entry(const char* name, NetBuilder build) {
  return {.name = name,
          .scope = "MobilenetV2",
          .build = build,
          .defaults = {.weights = TruncatedNormalInitializer{0.0, 0.09},
                       .activation = Activation::relu6,
                       .batch_norm =
                           BatchNormDefaults{
                               .decay = 0.997, .epsilon = 0.001, .scale = BatchNormScale::with_gamma}},
          .default_image_size = 224,
          .smallest_image_size = 4,
          .largest_image_size = kAnyImageSize,
          .preprocessing = "inception",
          .origin = "Sandler et al. 2018, arXiv 1801.04381"};
}

}  // namespace

std::vector<NetEntry> mobilenet_v2_entries() {
  return {entry("mobilenet_v2", build<100>), entry("mobilenet_v2_140", build<140>),
          entry("mobilenet_v2_035", build<35>)};
}

}  // namespace fastnn
