#include "data/images/encoded_image.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "data/images/decode.h"
#include "data/images/formats.h"
#include "data/images/orientation.h"
#include "engine/base/error.h"

namespace fastnn {
namespace {

std::string first_bytes(std::span<const std::byte> bytes) {
  std::vector<unsigned> head;
  for (const std::byte byte : bytes.first(std::min<std::size_t>(bytes.size(), 8)))
    head.push_back(std::to_integer<unsigned>(byte));
  return fmt::format("{:02x}", fmt::join(head, " "));
}

const ImageFormat* decodable_format(std::span<const std::byte> encoded) {
  if (encoded.empty()) throw InputError("[images] the encoded image is empty: 0 bytes");
  const ImageFormat* format = sniff_format(encoded);
  if (format == nullptr)
    throw InputError("[images] not an image of a known format: {} bytes that start with {}; supported: {}",
                     encoded.size(), first_bytes(encoded), decodable_formats());
  if (format->decode == nullptr)
    throw InputError("[images] this is a {} image of {} bytes, which cannot be decoded; supported: {}",
                     format->name, encoded.size(), decodable_formats());
  return format;
}

void check_size(const ImageHeader& header, std::string_view format, const DecodeLimits& limits) {
  if (header.height < 1 || header.width < 1)
    throw InputError("[images] {} of {} x {} pixels has no pixel", format, header.height, header.width);
  if (std::max(header.height, header.width) > limits.max_side ||
      std::int64_t{header.height} * header.width > limits.max_pixels)
    throw InputError("[images] {} of {} x {} pixels exceeds the limit of {} a side and {} in all", format,
                     header.height, header.width, limits.max_side, limits.max_pixels);
}

/// Luma of JPEG (ITU-R BT.601), in 16-bit fixed point whose weights sum to 1, so that gray stays what it is.
void reduce_to_luma(Image& image) {
  const auto pixels = image.pixels();
  const std::size_t count = pixels.size() / 3;
  for (std::size_t i = 0; i < count; ++i)
    pixels[i] = static_cast<std::uint8_t>(
        (19595U * pixels[3 * i] + 38470U * pixels[3 * i + 1] + 7471U * pixels[3 * i + 2] + 32768U) >> 16);
  image.reshape(image.height(), image.width(), 1);
}

}  // namespace

EncodedImage::EncodedImage(std::span<const std::byte> encoded, const DecodeOptions& options)
    : encoded_(encoded), options_(options), format_(decodable_format(encoded)) {
  if (options.channels != 1 && options.channels != 3)
    throw UsageError("[images] an image is decoded to 1 or 3 channels, not to {}", options.channels);
  const ImageHeader header = format_->read_header(encoded);
  check_size(header, format_->name, options.limits);
  if (options.orientation == DecodeOptions::Orientation::from_exif) orientation_ = header.orientation;
  const bool turned = swaps_sides(orientation_);
  info_ = {.height = turned ? header.width : header.height,
           .width = turned ? header.height : header.width,
           .channels = options.channels,
           .format = format_->name};
}

void EncodedImage::decode(Image& out) const {
  decode_crop({.top = 0, .left = 0, .height = info_.height, .width = info_.width}, out);
}

void EncodedImage::decode_crop(const Rectangle& crop, Image& out) const {
  if (crop.top < 0 || crop.left < 0 || crop.height < 1 || crop.width < 1 ||
      crop.height > info_.height - crop.top || crop.width > info_.width - crop.left)
    throw UsageError(
        "[images] the part of {} x {} pixels at row {}, column {} is not inside the {} of {} x {} pixels",
        crop.height, crop.width, crop.top, crop.left, info_.format, info_.height, info_.width);
  const bool turned = swaps_sides(orientation_);
  const ImageHeader stored{.height = turned ? info_.width : info_.height,
                           .width = turned ? info_.height : info_.width};
  const DecodeRequest request{.header = stored,
                              .part = stored_part(crop, orientation_, stored.height, stored.width),
                              .channels = options_.channels,
                              .jpeg_dct = options_.jpeg_dct};
  if (orientation_ == 1) {
    format_->decode(encoded_, request, out);
  } else {
    Image as_stored;
    format_->decode(encoded_, request, as_stored);
    orient(as_stored, orientation_, out);
  }
  if (out.channels() != options_.channels) reduce_to_luma(out);
}

Image decode_image(std::span<const std::byte> encoded, const DecodeOptions& options) {
  Image image;
  EncodedImage(encoded, options).decode(image);
  return image;
}

}  // namespace fastnn
