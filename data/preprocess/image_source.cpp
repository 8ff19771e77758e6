#include "data/preprocess/image_source.h"

#include <algorithm>

namespace fastnn {

void EncodedSource::decode_crop(const Rectangle& crop, Image& out) const {
  const ImageInfo& info = image_.info();
  const bool whole = crop.height == info.height && crop.width == info.width;
  whole ? image_.decode(out) : image_.decode_crop(crop, out);
}

void PixelSource::decode_crop(const Rectangle& crop, Image& out) const {
  out.reshape(crop.height, crop.width, image_.channels());
  const std::size_t first = std::size_t(crop.left) * image_.channels();
  for (int y = 0; y < crop.height; ++y)
    std::ranges::copy(image_.row(crop.top + y).subspan(first, out.row_bytes()), out.row(y).begin());
}

}  // namespace fastnn
