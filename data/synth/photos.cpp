#include "data/synth/photos.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "data/synth/random.h"

namespace fastnn {
namespace {

constexpr int kDiscs = 700;
constexpr double kLeastRadius = 4, kGreatestRadius = 160;
/// Deviations, of 255: of the texture's coarsest scale, each finer one being less by a factor, and of the
/// noise.
constexpr double kTexture = 14, kFiner = 0.8, kNoise = 6;
constexpr int kScales = 4;

using Plane = std::vector<float>;

/// Sum of lattices of random values, 16, 8, 4 and 2 pixels apart, each blended linearly.
Plane texture(SampleRandom& random) {
  Plane plane(std::size_t(kPhotoHeight) * kPhotoWidth, 0.0F);
  double deviation = kTexture;
  for (int scale = kScales; scale > 0; --scale, deviation *= kFiner) {
    const int step = 1 << scale;
    const int columns = kPhotoWidth / step + 2, rows = kPhotoHeight / step + 2;
    Plane lattice(std::size_t(rows) * columns);
    for (float& value : lattice) value = static_cast<float>(deviation * random.normal());
    for (int y = 0; y < kPhotoHeight; ++y) {
      const float down = static_cast<float>(y % step) / static_cast<float>(step);
      const float* upper = &lattice[std::size_t(y / step) * columns];
      const float* lower = upper + columns;
      for (int x = 0; x < kPhotoWidth; ++x) {
        const float right = static_cast<float>(x % step) / static_cast<float>(step);
        const int i = x / step;
        const float above = upper[i] + (upper[i + 1] - upper[i]) * right;
        const float below = lower[i] + (lower[i + 1] - lower[i]) * right;
        plane[std::size_t(y) * kPhotoWidth + x] += above + (below - above) * down;
      }
    }
  }
  return plane;
}

struct Disc {
  double x, y, radius;
  /// Colour in the middle, and how much brighter it gets to the right and down, of 255 a radius.
  std::array<double, 3> colour;
  double right, down;
  /// Share of the texture that shows.
  double roughness;
};

Disc draw_disc(SampleRandom& random) {
  Disc disc{};
  disc.x = random.uniform(0, kPhotoWidth);
  disc.y = random.uniform(0, kPhotoHeight);
  // By inversion of the distribution function of a density that falls with the cube.
  const double least = 1 / (kLeastRadius * kLeastRadius), most = 1 / (kGreatestRadius * kGreatestRadius);
  disc.radius = 1 / std::sqrt(random.uniform(most, least));
  const double grey = random.uniform(30, 220);
  for (double& channel : disc.colour) channel = grey + random.uniform(-35, 35);
  disc.right = random.uniform(-30, 30);
  disc.down = random.uniform(-30, 30);
  disc.roughness = random.uniform(0.1, 1);
  return disc;
}

/// The order of covering: the first disc that holds a pixel keeps it, so that none is painted twice.
void paint(const Disc& disc, const Plane& texture, std::vector<bool>& painted, Plane& picture) {
  const auto first = [](double at) { return std::max(0, static_cast<int>(std::ceil(at))); };
  const int bottom = std::min(kPhotoHeight, static_cast<int>(disc.y + disc.radius) + 1);
  for (int y = first(disc.y - disc.radius); y < bottom; ++y) {
    const double v = (y - disc.y) / disc.radius;
    const double half = disc.radius * std::sqrt(std::max(0.0, 1 - v * v));
    const int end = std::min(kPhotoWidth, static_cast<int>(disc.x + half) + 1);
    for (int x = first(disc.x - half); x < end; ++x) {
      const std::size_t at = std::size_t(y) * kPhotoWidth + x;
      if (painted[at]) continue;
      painted[at] = true;
      const double light =
          disc.right * (x - disc.x) / disc.radius + disc.down * v + disc.roughness * texture[at];
      for (std::size_t c = 0; c < 3; ++c) picture[3 * at + c] = static_cast<float>(disc.colour[c] + light);
    }
  }
}

}  // namespace

Image draw_photo(std::uint64_t seed, std::string_view split, std::int64_t index) {
  SampleRandom random(seed, split, index);
  const Plane rough = texture(random);
  Plane picture(rough.size() * 3);
  std::vector<bool> painted(rough.size());
  for (int i = 0; i < kDiscs; ++i) paint(draw_disc(random), rough, painted, picture);
  Disc ground = draw_disc(random);
  ground.x = kPhotoWidth / 2.0;
  ground.y = kPhotoHeight / 2.0;
  ground.radius = kPhotoWidth;
  paint(ground, rough, painted, picture);
  Image image(kPhotoHeight, kPhotoWidth, 3);
  for (std::size_t i = 0; i < rough.size(); ++i) {
    const auto noise = static_cast<float>(kNoise * random.normal());
    for (std::size_t c = 0; c < 3; ++c)
      image.pixels()[3 * i + c] =
          static_cast<std::uint8_t>(std::clamp(picture[3 * i + c] + noise, 0.0F, 255.0F));
  }
  return image;
}

}  // namespace fastnn
