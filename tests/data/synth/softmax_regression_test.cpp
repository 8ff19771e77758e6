#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "data/synth/draw.h"
#include "tests/support/catch.h"

using namespace fastnn;

namespace {

constexpr std::size_t kPixels = std::size_t{kShapesSize} * kShapesSize * 3;
constexpr std::size_t kClasses = 10;
/// Padded to whole vectors; the spare columns keep zero weights.
using Row = std::array<float, 16>;

struct Picture {
  std::vector<float> pixels;
  int label = 0;
};

std::vector<Picture> draw(const char* split, int count) {
  std::vector<Picture> pictures;
  for (int i = 0; i < count; ++i) {
    const ShapesSample sample = draw_shapes_sample(1, split, i);
    pictures.push_back({{}, sample.label});
    for (const auto value : sample.image.pixels())
      pictures.back().pixels.push_back((float(value) - 128) / 128);
  }
  return pictures;
}

/// Multinomial logistic regression on raw pixels, by stochastic gradient descent of a falling rate.
class SoftmaxRegression {
 public:
  Row logits(const Picture& picture) const {
    Row sum = bias_;
    for (std::size_t p = 0; p < kPixels; ++p)
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += picture.pixels[p] * weights_[p][k];
    return sum;
  }

  void learn(const Picture& picture, float rate) {
    Row step = logits(picture);
    const float largest = *std::max_element(step.begin(), step.begin() + kClasses);
    float total = 0;
    for (std::size_t k = 0; k < kClasses; ++k) total += step[k] = std::exp(step[k] - largest);
    for (std::size_t k = 0; k < kClasses; ++k)
      step[k] = rate * ((int(k) == picture.label ? 1.0F : 0.0F) - step[k] / total);
    std::fill(step.begin() + kClasses, step.end(), 0.0F);
    for (std::size_t k = 0; k < step.size(); ++k) bias_[k] += step[k];
    for (std::size_t p = 0; p < kPixels; ++p)
      for (std::size_t k = 0; k < step.size(); ++k) weights_[p][k] += picture.pixels[p] * step[k];
  }

  double accuracy(const std::vector<Picture>& pictures) const {
    const auto right = std::ranges::count_if(pictures, [&](const Picture& picture) {
      const Row row = logits(picture);
      return std::max_element(row.begin(), row.begin() + kClasses) - row.begin() == picture.label;
    });
    return double(right) / double(pictures.size());
  }

 private:
  std::vector<Row> weights_ = std::vector<Row>(kPixels);
  Row bias_{};
};

}  // namespace

TEST_CASE("shapes: a softmax regression trained to convergence stays under 60 %", "[arithmetic]") {
  const auto train = draw("train", 4000);
  const auto validation = draw("validation", 1000);
  SoftmaxRegression model;
  for (float rate = 1e-3F; rate > 3e-5F; rate *= 0.8F)
    for (const Picture& picture : train) model.learn(picture, rate);
  const double seen = model.accuracy(train), unseen = model.accuracy(validation);
  CAPTURE(seen, unseen);
  CHECK(unseen < 0.60);
  CHECK(unseen > 0.13);
  CHECK(seen > 0.35);
}
