#pragma once

#include <span>

namespace fastnn {

/// One step of a colour distortion, with TensorFlow's formulas. No step clips but the last.
///   brightness  x + brightness
///   saturation  the S of HSV times the factor, at most 1: with V = max(r, g, b) and k = min(factor,
///               V / (V - min(r, g, b))), or 0 where V <= 0, that is V - (V - x) * k
///   hue         H of HSV turned by that part of a full turn
///   contrast    (x - mean) * factor + mean, with the mean over the image's channel
///   clip_and_centre  to [0, 1], then (x - 0.5) * 2
enum class ColourStep { brightness, saturation, hue, contrast, clip_and_centre };

/// What the steps take; the defaults change nothing.
struct ColourChange {
  float brightness = 0;
  float saturation = 1;
  float hue = 0;
  float contrast = 1;
};

/// Applies the steps in order, in place. pixels: [n, 3], red, green, blue.
void distort_colour(std::span<float> pixels, std::span<const ColourStep> steps, const ColourChange& change);

}  // namespace fastnn
