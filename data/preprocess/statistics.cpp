#include "data/preprocess/statistics.h"

#include <algorithm>
#include <cmath>

namespace fastnn {
namespace {

/// Sum of f(x) over the values: float sums of 48 lanes, each of at most 64 values, added up in double; lane
/// i holds values i, i + 48, ... of a block, so lanes i, i + 3, ... hold the channel i % 3 of pixels.
template <class F>
std::array<double, 3> sums_by_channel(std::span<const float> values, F f) {
  constexpr std::size_t kLanes = 48, kBlock = kLanes * 64;
  std::array<double, 3> sums{};
  for (std::size_t first = 0; first < values.size(); first += kBlock) {
    const auto block = values.subspan(first, std::min(kBlock, values.size() - first));
    std::array<float, kLanes> lanes{};
    std::size_t i = 0;
    for (; i + kLanes <= block.size(); i += kLanes)
      for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += f(block[i + lane]);
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane % 3] += lanes[lane];
    for (; i < block.size(); ++i) sums[i % 3] += f(block[i]);
  }
  return sums;
}

template <class F>
double sum(std::span<const float> values, F f) {
  const auto sums = sums_by_channel(values, f);
  return sums[0] + sums[1] + sums[2];
}

}  // namespace

ChannelMeans channel_means(std::span<const float> pixels) {
  const auto sums = sums_by_channel(pixels, [](float x) { return x; });
  ChannelMeans means{};
  std::ranges::transform(sums, means.begin(), [&](double channel) {
    return static_cast<float>(channel * 3 / static_cast<double>(pixels.size()));
  });
  return means;
}

void standardize(std::span<float> values) {
  const auto count = static_cast<double>(values.size());
  const auto mean = static_cast<float>(sum(values, [](float x) { return x; }) / count);
  const double squares = sum(values, [mean](float x) { return (x - mean) * (x - mean); });
  const double deviation = std::max(std::sqrt(squares / count), 1 / std::sqrt(count));
  const auto factor = static_cast<float>(1 / deviation);
  for (float& x : values) x = (x - mean) * factor;
}

}  // namespace fastnn
