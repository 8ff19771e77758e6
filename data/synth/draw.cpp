#include "data/synth/draw.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include "data/synth/random.h"
#include "data/synth/shapes.h"

namespace fastnn {
namespace {

using Color = std::array<double, 3>;

constexpr int kClasses = 10;
/// Samples of a pixel per axis, for anti-aliasing.
constexpr int kSubpixels = 4;
constexpr double kMinRadius = 8.5, kMaxRadius = 13.5;
/// Least difference in brightness between object and background, of 255.
constexpr double kMinContrast = 60.0;
/// Share of pictures whose object is brighter than its background. Not a half: a linear model, which cannot
/// see through the inversion, shall learn something.
constexpr double kBrighterObject = 0.85;
/// Largest deviation of a background's second colour from its first.
constexpr double kMaxTexture = 25.0;
constexpr double kMaxNoise = 10.0;

double brightness(const Color& c) {
  return 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2];
}

Color random_color(SampleRandom& random) {
  return {random.uniform(20, 235), random.uniform(20, 235), random.uniform(20, 235)};
}

/// A direction: the cosine and sine of a uniform angle, without either function, whose last digit depends on
/// the machine.
Point random_direction(SampleRandom& random) {
  for (;;) {
    const Point p{random.uniform(-1, 1), random.uniform(-1, 1)};
    const double square = p.x * p.x + p.y * p.y;
    if (square > 0.01 && square <= 1) return {p.x / std::sqrt(square), p.y / std::sqrt(square)};
  }
}

Color mix(const Color& a, const Color& b, double share_of_b) {
  Color mixed;
  for (int c = 0; c < 3; ++c) mixed[c] = a[c] + (b[c] - a[c]) * share_of_b;
  return mixed;
}

struct Background {
  Color first, second;
  /// Gives the share of the second colour, in [0, 1], at a place in units of the pattern's period.
  double (*pattern)(Point place);
  Point direction;
  double period = 1;

  Color at(Point p) const {
    const Point place{(p.x * direction.x + p.y * direction.y) / period,
                      (p.y * direction.x - p.x * direction.y) / period};
    return mix(first, second, pattern(place));
  }
};

bool odd(double value) {
  return std::floor(value) != 2 * std::floor(value / 2);
}
double flat(Point) {
  return 0;
}
double graded(Point p) {
  return std::clamp(0.5 + p.x / 4, 0.0, 1.0);
}
double striped(Point p) {
  return odd(p.x) ? 1 : 0;
}
double chequered(Point p) {
  return odd(p.x) != odd(p.y) ? 1 : 0;
}
constexpr std::array kPatterns = {flat, graded, striped, chequered};

/// Two independent colours of sufficient contrast.
struct ColorPair {
  Color object, background;
};

ColorPair random_colors(SampleRandom& random) {
  const double sign = random.uniform(0, 1) < kBrighterObject ? 1 : -1;
  for (;;) {
    const ColorPair pair{random_color(random), random_color(random)};
    if (sign * (brightness(pair.object) - brightness(pair.background)) >= kMinContrast) return pair;
  }
}

Background random_background(SampleRandom& random, const Color& color) {
  Background background;
  background.first = color;
  background.second = color;
  for (double& value : background.second) value += random.uniform(-kMaxTexture, kMaxTexture);
  background.pattern = kPatterns[random.below(kPatterns.size())];
  background.direction = random_direction(random);
  background.period = random.uniform(3, 8);
  return background;
}

struct Object {
  const ShapeClass* shape;
  Color color;
  Point center, direction;
  double radius;

  bool covers(Point p) const {
    const Point d{(p.x - center.x) / radius, (p.y - center.y) / radius};
    if (d.x * d.x + d.y * d.y > 1.1) return false;
    return shape->contains({d.x * direction.x + d.y * direction.y, d.y * direction.x - d.x * direction.y});
  }
};

Object random_object(SampleRandom& random, int label, const Color& color) {
  Object object;
  object.shape = &shape_classes()[label];
  object.color = color;
  object.radius = random.uniform(kMinRadius, kMaxRadius);
  object.center = {random.uniform(object.radius, kShapesSize - object.radius),
                   random.uniform(object.radius, kShapesSize - object.radius)};
  object.direction = random_direction(random);
  return object;
}

/// Mean colour of a pixel over kSubpixels x kSubpixels places.
Color pixel_color(const Background& background, const Object& object, int x, int y) {
  Color sum{};
  for (int i = 0; i < kSubpixels * kSubpixels; ++i) {
    const Point p{x + (i % kSubpixels + 0.5) / kSubpixels, y + (i / kSubpixels + 0.5) / kSubpixels};
    const Color color = object.covers(p) ? object.color : background.at(p);
    for (int c = 0; c < 3; ++c) sum[c] += color[c] / (kSubpixels * kSubpixels);
  }
  return sum;
}

int label_of(std::uint64_t seed, const std::string& stream, std::int64_t index) {
  SampleRandom random(seed, stream + "/labels", index / kClasses);
  std::array<int, kClasses> labels;
  std::iota(labels.begin(), labels.end(), 0);
  for (int i = kClasses - 1; i > 0; --i) std::swap(labels[i], labels[random.below(i + 1)]);
  return labels[index % kClasses];
}

}  // namespace

ShapesSample draw_shapes_sample(std::uint64_t seed, std::string_view split, std::int64_t index) {
  const std::string stream = "shapes/" + std::string(split);
  ShapesSample sample{Image(kShapesSize, kShapesSize, 3), label_of(seed, stream, index)};
  SampleRandom random(seed, stream, index);
  const ColorPair colors = random_colors(random);
  const Background background = random_background(random, colors.background);
  const Object object = random_object(random, sample.label, colors.object);
  const double noise = random.uniform(0, kMaxNoise);
  auto pixel = sample.image.pixels().begin();
  for (int y = 0; y < kShapesSize; ++y)
    for (int x = 0; x < kShapesSize; ++x)
      for (const double value : pixel_color(background, object, x, y))
        *pixel++ = static_cast<std::uint8_t>(
            std::clamp(std::floor(value + noise * random.normal() + 0.5), 0.0, 255.0));
  return sample;
}

}  // namespace fastnn
