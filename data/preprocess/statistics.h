#pragma once

#include <array>
#include <span>

namespace fastnn {

using ChannelMeans = std::array<float, 3>;

/// Mean of each channel. pixels: [n, 3], not empty.
ChannelMeans channel_means(std::span<const float> pixels);

/// In place (x - mean) / max(deviation, 1 / sqrt(N)), over all N values; TensorFlow's
/// per_image_standardization.
void standardize(std::span<float> values);

}  // namespace fastnn
