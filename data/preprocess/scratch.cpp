#include "data/preprocess/scratch.h"

#include <algorithm>

#include "engine/base/error.h"

namespace fastnn {
namespace {

struct Scratch {
  Image part;
  Resize resize;
};

Scratch& of_this_thread() {
  thread_local Scratch scratch;
  return scratch;
}

const Image& decoded(const ImageSource& image, const Rectangle& crop, Image& part) {
  image.decode_crop(crop, part);
  if (part.channels() != 3)
    throw UsageError("[preprocess] images must be decoded to 3 channels, got {}", part.channels());
  return part;
}

}  // namespace

void decode_and_resize(const ImageSource& image, const Rectangle& crop, const ResizeOptions& options,
                       std::span<float> target) {
  auto& [part, resize] = of_this_thread();
  resize.prepare(options);
  Rectangle needed = resize.source();
  needed.top += crop.top;
  needed.left += crop.left;
  resize.run(decoded(image, needed, part), target);
}

void decode_and_place(const ImageSource& image, const Placement& placement, int target_width,
                      std::span<float> target) {
  Image& part = of_this_thread().part;
  std::ranges::fill(target, 0.0F);
  if (placement.source.height == 0 || placement.source.width == 0) return;
  place(decoded(image, placement.source, part), placement, target_width, target);
}

}  // namespace fastnn
