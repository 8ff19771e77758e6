#include "data/datasets/image_example.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/base/error.h"

namespace fastnn {
namespace {

constexpr std::int64_t kMaxSide = 65500;
constexpr std::array<std::string_view, 4> kBoxFeatures = {"image/object/bbox/ymin", "image/object/bbox/xmin",
                                                          "image/object/bbox/ymax", "image/object/bbox/xmax"};

std::string format_of(const Example& example) {
  if (example.kind("image/format") != FeatureKind::bytes) return {};
  const auto values = example.bytes_list("image/format");
  if (values.size() != 1) return {};
  std::string format;
  for (const std::byte b : values[0])
    format += static_cast<char>(std::tolower(std::to_integer<unsigned char>(b)));
  return format == "jpg" ? "jpeg" : format;
}

std::int64_t extent_of(const Example& example, std::string_view key, int otherwise) {
  return example.contains(key) ? example.integer(key) : otherwise;
}

}  // namespace

ImageExample parse_image_example(const Example& example, const ImageSchema& schema) {
  return {.encoded = example.bytes(schema.image_feature),
          .label = example.integer(schema.label_feature),
          .format = format_of(example)};
}

std::vector<ObjectBox> parse_boxes(const Example& example, const RecordOrigin& origin) {
  if (!example.contains(kBoxFeatures[0])) return {};
  std::array<std::vector<float>, 4> edges;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (example.kind(kBoxFeatures[i]) != FeatureKind::none) edges[i] = example.reals(kBoxFeatures[i]);
    if (edges[i].size() != edges[0].size())
      throw InputError("[datasets] {} holds {} values and {} holds {}: a box needs one of each; in {}",
                       kBoxFeatures[0], edges[0].size(), kBoxFeatures[i], edges[i].size(), origin.text());
  }
  std::vector<ObjectBox> boxes;
  for (std::size_t i = 0; i < edges[0].size(); ++i)
    boxes.push_back({.ymin = edges[0][i], .xmin = edges[1][i], .ymax = edges[2][i], .xmax = edges[3][i]});
  return boxes;
}

Image raw_image(const Example& example, const ImageSchema& schema, std::span<const std::byte> pixels,
                const RecordOrigin& origin) {
  const std::int64_t height = extent_of(example, "image/height", schema.raw_shape.height);
  const std::int64_t width = extent_of(example, "image/width", schema.raw_shape.width);
  const std::int64_t channels = extent_of(example, "image/channels", schema.raw_shape.channels);
  const auto is_side = [](std::int64_t side) { return side >= 1 && side <= kMaxSide; };
  if (!is_side(height) || !is_side(width) || (channels != 1 && channels != 3) ||
      static_cast<std::int64_t>(pixels.size()) != height * width * channels)
    throw InputError(
        "[datasets] raw pixels need image/height x image/width x image/channels (1 or 3) bytes: got {} x {} x {} and {} bytes; in {}",
        height, width, channels, pixels.size(), origin.text());
  Image image(static_cast<int>(height), static_cast<int>(width), 3);
  const auto target = image.pixels();
  const std::size_t copies = channels == 1 ? 3 : 1;
  for (std::size_t i = 0; i < target.size(); ++i)
    target[i] = std::to_integer<std::uint8_t>(pixels[i / copies]);
  return image;
}

}  // namespace fastnn
