#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/images/image.h"
#include "data/pipeline/sample.h"
#include "data/preprocess/sample_context.h"
#include "data/records/example.h"

namespace fastnn {

/// Where a record keeps what. The defaults are TF-Slim's (cifar10, mnist, flowers) and
/// build_imagenet_data.py's.
struct ImageSchema {
  std::string image_feature = "image/encoded";
  std::string label_feature = "image/class/label";
  /// Extents of raw pixels whose record names none; 0 is unknown.
  ImageShape raw_shape{.channels = 0};
};

/// What a record of an image holds; views of its payload.
struct ImageExample {
  std::span<const std::byte> encoded;
  std::int64_t label = 0;
  /// What image/format says, in small letters, "jpg" as "jpeg"; empty if it says nothing. It may be wrong.
  std::string format{};
};

/// Throws InputError, as Example's lookups do, if image or label are missing or of the wrong kind.
ImageExample parse_image_example(const Example& example, const ImageSchema& schema);

/// image/object/bbox/{ymin,xmin,ymax,xmax}, none if they are missing. Throws InputError naming the origin if
/// the four lists differ in length or are no floats.
std::vector<ObjectBox> parse_boxes(const Example& example, const RecordOrigin& origin);

/// The image of a record of format "raw": bytes [height, width, channels] with the extents of image/height,
/// image/width and image/channels, or the schema's where they are missing. Gray is replicated to 3 channels.
/// Throws InputError naming the origin if the extents are unknown or senseless, or are not those of the
/// bytes.
Image raw_image(const Example& example, const ImageSchema& schema, std::span<const std::byte> pixels,
                const RecordOrigin& origin);

}  // namespace fastnn
