#include "data/preprocess/crop_or_pad.h"

#include <algorithm>

namespace fastnn {
namespace {

/// One axis: 'count' pixels from 'source' of the image land at 'target' of the result.
struct Overlap {
  int source, target, count;
};

Overlap overlap(int extent, int size) {
  return {std::max(extent - size, 0) / 2, std::max(size - extent, 0) / 2, std::min(extent, size)};
}

}  // namespace

Image crop_or_pad(const Image& image, int height, int width) {
  const Overlap y = overlap(image.height(), height);
  const Overlap x = overlap(image.width(), width);
  const int channels = image.channels();
  Image result(height, width, channels);
  for (int row = 0; row < y.count; ++row)
    std::ranges::copy(
        image.row(y.source + row).subspan(std::size_t(x.source) * channels, std::size_t(x.count) * channels),
        result.row(y.target + row).begin() + std::ptrdiff_t(x.target) * channels);
  return result;
}

}  // namespace fastnn
