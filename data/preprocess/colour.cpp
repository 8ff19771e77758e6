#include "data/preprocess/colour.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "data/preprocess/statistics.h"

namespace fastnn {
namespace {

/// What a step needs to know besides the pixels.
struct Arguments {
  ColourChange change;
  ChannelMeans means{};
};

void brighten(std::span<float> pixels, const Arguments& with) {
  for (float& x : pixels) x += with.change.brightness;
}

void saturate(std::span<float> pixels, const Arguments& with) {
  const float factor = with.change.saturation;
  float* p = pixels.data();
  const std::size_t count = pixels.size() / 3;
  for (std::size_t i = 0; i < count; ++i) {
    const float r = p[3 * i], g = p[3 * i + 1], b = p[3 * i + 2];
    const float value = std::max(r, std::max(g, b));
    const float range = value - std::min(r, std::min(g, b));
    const float k = std::max(0.0F, std::min(factor, value / std::max(range, 1e-30F)));
    p[3 * i] = value - (value - r) * k;
    p[3 * i + 1] = value - (value - g) * k;
    p[3 * i + 2] = value - (value - b) * k;
  }
}

/// Distance around the circle of six from 'turn' to this channel's sector, cut to 0 .. 1: the share of the
/// range by which the channel lies below the largest.
float below_largest(float turn, float sector) {
  float k = turn + sector;
  k = k >= 6 ? k - 6 : k;
  return std::clamp(std::min(k, 4 - k), 0.0F, 1.0F);
}

void turn_hue(std::span<float> pixels, const Arguments& with) {
  const float delta = with.change.hue * 6;
  float* p = pixels.data();
  const std::size_t count = pixels.size() / 3;
  for (std::size_t i = 0; i < count; ++i) {
    const float r = p[3 * i], g = p[3 * i + 1], b = p[3 * i + 2];
    const float value = std::max(r, std::max(g, b));
    const float range = value - std::min(r, std::min(g, b));
    const float unit = 1 / std::max(range, 1e-30F);
    const float hue = value == r ? (g - b) * unit : value == g ? 2 + (b - r) * unit : 4 + (r - g) * unit;
    float turn = hue + delta;
    turn = turn < 0 ? turn + 6 : turn;
    turn = turn >= 6 ? turn - 6 : turn;
    p[3 * i] = value - range * below_largest(turn, 5);
    p[3 * i + 1] = value - range * below_largest(turn, 3);
    p[3 * i + 2] = value - range * below_largest(turn, 1);
  }
}

void stretch(std::span<float> pixels, const Arguments& with) {
  const float factor = with.change.contrast;
  float* p = pixels.data();
  const std::size_t count = pixels.size() / 3;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      p[3 * i + c] = (p[3 * i + c] - with.means[c]) * factor + with.means[c];
}

void clip(std::span<float> pixels, const Arguments&) {
  for (float& x : pixels) x = std::min(1.0F, std::max(0.0F, x));
}

void centre(std::span<float> pixels, const Arguments&) {
  for (float& x : pixels) x = (x - 0.5F) * 2.0F;
}

using Apply = void (*)(std::span<float> pixels, const Arguments& with);

/// By the step's number.
constexpr Apply kApply[] = {brighten, saturate, turn_hue, stretch, clip, centre};

}  // namespace

void distort_colour(std::span<float> pixels, std::span<const ColourStep> steps, const ColourChange& change) {
  // Six kilobytes stay in the first-level cache from one step to the next.
  constexpr std::size_t kBlock = 512 * 3;
  while (!steps.empty()) {
    Arguments with{.change = change};
    if (steps.front() == ColourStep::contrast) with.means = channel_means(pixels);
    // The means must be of the pixels as the steps before have left them.
    const auto end = std::find(steps.begin() + 1, steps.end(), ColourStep::contrast);
    const auto now = steps.first(static_cast<std::size_t>(end - steps.begin()));
    for (std::size_t first = 0; first < pixels.size(); first += kBlock) {
      const auto block = pixels.subspan(first, std::min(kBlock, pixels.size() - first));
      for (const ColourStep step : now) kApply[static_cast<std::size_t>(step)](block, with);
    }
    steps = steps.subspan(now.size());
  }
}

}  // namespace fastnn
