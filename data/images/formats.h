#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "data/images/encoded_image.h"

namespace fastnn {

/// What the first bytes of an encoded image say about its pixels as they are stored.
struct ImageHeader {
  int height = 0;
  int width = 0;
  /// EXIF orientation, 1..8; 1 where there is none.
  int orientation = 1;
};

/// What a decoder is asked for: a rectangle of the stored pixels, not empty, inside the header's extents.
struct DecodeRequest {
  ImageHeader header{};
  Rectangle part{};
  /// 1 allows a decoder that can to give luma itself.
  int channels = 3;
  JpegDct jpeg_dct = JpegDct::accurate;
};

/// One format of encoded images: a row of the table of decoders.
struct ImageFormat {
  std::string_view name;
  /// The first bytes of a file; '?' stands for any byte.
  std::string_view magic;
  /// Reads the header, checks no limits. Throws InputError. Null, as 'decode' is, for a format that is
  /// recognised only to be refused by name.
  ImageHeader (*read_header)(std::span<const std::byte> encoded);
  /// Decodes the part to 3 channels, or to 1 where that was allowed; checks the data to their end if the part
  /// reaches the last row. Throws InputError.
  void (*decode)(std::span<const std::byte> encoded, const DecodeRequest& request, Image& out);
};

/// All formats that are recognised.
std::span<const ImageFormat> image_formats();

/// The format that the first bytes announce; null if none does. Names and extensions of files do not count.
const ImageFormat* sniff_format(std::span<const std::byte> encoded);

/// Names of the formats that can be decoded: "png, jpeg, gif, bmp".
std::string decodable_formats();

}  // namespace fastnn
