#include "data/images/encoded_image.h"

#include <algorithm>

#include "data/images/decode.h"
#include "engine/core/error.h"

namespace fastnn {

EncodedImage::EncodedImage(std::span<const std::byte> encoded, const DecodeOptions& options)
    : encoded_(encoded), options_(options), format_(sniff_format(encoded)) {
  const Image whole = decode_image(encoded, options.limits);
  info_ = {whole.height(), whole.width(), whole.channels(), format_->name};
}

void EncodedImage::decode(Image& out) const {
  out = decode_image(encoded_, options_.limits);
}

void EncodedImage::decode_crop(const Rectangle& crop, Image& out) const {
  const Image whole = decode_image(encoded_, options_.limits);
  out.reshape(crop.height, crop.width, whole.channels());
  const std::size_t first = std::size_t(crop.left) * whole.channels();
  for (int y = 0; y < crop.height; ++y)
    std::ranges::copy(whole.row(crop.top + y).subspan(first, out.row_bytes()), out.row(y).begin());
}

}  // namespace fastnn
