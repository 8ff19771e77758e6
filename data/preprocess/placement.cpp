#include "data/preprocess/placement.h"

#include <algorithm>

namespace fastnn {
namespace {

/// One axis: 'count' pixels from 'source' of the image land at 'target' of the result.
struct Overlap {
  int source, target, count;
};

Overlap centred(int extent, int size) {
  return {std::max(extent - size, 0) / 2, std::max(size - extent, 0) / 2, std::min(extent, size)};
}

Overlap windowed(int extent, int first, int size) {
  const int source = std::clamp(first, 0, extent);
  return {source, source - first, std::max(std::min(first + size, extent) - source, 0)};
}

Placement placement_of(const Overlap& y, const Overlap& x) {
  return {.source = {.top = y.source, .left = x.source, .height = y.count, .width = x.count},
          .top = y.target,
          .left = x.target};
}

}  // namespace

Placement crop_or_pad(int height, int width, int target_height, int target_width) {
  return placement_of(centred(height, target_height), centred(width, target_width));
}

Placement window(int height, int width, const Rectangle& window) {
  return placement_of(windowed(height, window.top, window.height),
                      windowed(width, window.left, window.width));
}

void place(const Image& part, const Placement& placement, int target_width, std::span<float> target) {
  const std::size_t row_elements = std::size_t(target_width) * part.channels();
  for (int y = 0; y < part.height(); ++y) {
    const std::size_t first =
        (placement.top + y) * row_elements + std::size_t(placement.left) * part.channels();
    std::ranges::copy(part.row(y), target.subspan(first).begin());
  }
}

}  // namespace fastnn
