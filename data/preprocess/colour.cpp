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
  const float brightness = with.change.brightness;
  for (float& x : pixels) x += brightness;
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

/// How far a channel lies below the largest of a pixel, at 'whole' + 'part' sixths of a turn from the
/// channel's complement: by all the range up to one sixth, by nothing from two on. whole: -3 .. 9; part: -0.5
/// .. 0.5.
float below_largest(float range, float whole, float part) {
  const float wrapped = whole - 6 * std::rint(whole * (1.0F / 6));
  return std::min(range, range * std::max(0.0F, 2 - std::abs(wrapped + part)));
}

// Whole sixths and the rest are kept apart, because their sum in one float would lose up to 2e-7 of a
// channel.
void turn_hue(std::span<float> pixels, const Arguments& with) {
  const float delta = with.change.hue * 6;
  float* p = pixels.data();
  const std::size_t count = pixels.size() / 3;
  for (std::size_t i = 0; i < count; ++i) {
    const float r = p[3 * i], g = p[3 * i + 1], b = p[3 * i + 2];
    const float value = std::max(r, std::max(g, b));
    const float range = value - std::min(r, std::min(g, b));
    const auto is_red = static_cast<float>(r >= value);
    const float is_green = static_cast<float>(g >= value) * (1 - is_red);
    const float is_blue = 1 - is_red - is_green;
    const float difference = is_red * (g - b) + is_green * (b - r) + is_blue * (r - g);
    const float sector = 2 * is_green + 4 * is_blue;
    const float turn = difference / std::max(range, 1e-30F) + delta;
    const float turned = std::rint(turn);
    const float whole = sector + turned, part = turn - turned;
    p[3 * i] = value - below_largest(range, whole + 3, part);
    p[3 * i + 1] = value - below_largest(range, whole + 1, part);
    p[3 * i + 2] = value - below_largest(range, whole - 1, part);
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

void clip_and_centre(std::span<float> pixels, const Arguments&) {
  for (float& x : pixels) x = std::min(1.0F, std::max(-1.0F, 2 * x - 1));
}

using Apply = void (*)(std::span<float> pixels, const Arguments& with);

/// By the step's number.
constexpr Apply kApply[] = {brighten, saturate, turn_hue, stretch, clip_and_centre};

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
