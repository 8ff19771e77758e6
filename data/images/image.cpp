#include "data/images/image.h"

#include <algorithm>

namespace fastnn {

Image::Image(int height, int width, int channels)
    : height_(height), width_(width), channels_(channels), pixels_(std::size_t(height) * width * channels) {}

void Image::reshape(int height, int width, int channels) {
  height_ = height;
  width_ = width;
  channels_ = channels;
  pixels_.resize(std::max(pixels_.size(), row_bytes() * height));
}

}  // namespace fastnn
