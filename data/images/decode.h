#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "data/images/encoded_image.h"

namespace fastnn {

/// One format of encoded images: a row of the table of decoders.
struct ImageFormat {
  std::string_view name;
  /// The first bytes of a file; '?' stands for any byte.
  std::string_view magic;
  /// Decodes to 3 channels; null for a format that is recognised only to be refused by name.
  Image (*decode)(std::span<const std::byte> encoded, const DecodeLimits& limits);
};

/// All formats that are recognised.
std::span<const ImageFormat> image_formats();

/// The format that the first bytes announce; null if none does. Names and extensions of files do not count.
const ImageFormat* sniff_format(std::span<const std::byte> encoded);

/// Names of the formats that can be decoded: "png".
std::string decodable_formats();

/// Decodes an image of any supported format to [H, W, 3], as TensorFlow's decode_image(channels=3) does.
/// Throws InputError when the bytes are of no known or of an unsupported format, damaged, cut short, or
/// exceed the limits; the message does not name the file, which the caller knows.
Image decode_image(std::span<const std::byte> encoded, const DecodeLimits& limits = {});

}  // namespace fastnn
