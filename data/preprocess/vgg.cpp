#include "data/preprocess/vgg.h"

#include <algorithm>
#include <cmath>

#include "data/preprocess/sample_random.h"
#include "data/preprocess/scratch.h"
#include "engine/base/error.h"

namespace fastnn {
namespace {

constexpr int kLeastSide = 256;
constexpr int kGreatestSide = 512;
constexpr std::array<float, 3> kMinusMeanColour{-123.68F, -116.78F, -103.94F};

/// Resizes the whole image to 'extents'; the crop of the output's size at (top, left) is wanted.
ResizeOptions cropped(const ImageSource& image, const ImageExtents& extents, const ImageShape& output,
                      int top, int left) {
  return {
      .rows = {.in = image.height(), .out = extents.height, .first = top, .count = output.height},
      .columns = {.in = image.width(), .out = extents.width, .first = left, .count = output.width},
      .shift = kMinusMeanColour,
  };
}

class VggTraining final : public Preprocessing {
 public:
  using Preprocessing::Preprocessing;

 private:
  void transform(const ImageSource& image, const SampleContext& context,
                 std::span<float> target) const override {
    const SampleKey& key = context.key;
    const int side = kLeastSide + SampleRandom(key, "shorter side").below(kGreatestSide - kLeastSide + 1);
    const ImageExtents extents = with_shorter_side({image.height(), image.width()}, side);
    SampleRandom random(key, "crop");
    const int top = random.below(extents.height - output().height + 1);
    const int left = random.below(extents.width - output().width + 1);
    ResizeOptions resize = cropped(image, extents, output(), top, left);
    if (SampleRandom(key, "flip").coin()) resize.flip = ResizeOptions::Flip::left_right;
    decode_and_resize(image, {}, resize, target);
  }
};

class VggEvaluation final : public Preprocessing {
 public:
  using Preprocessing::Preprocessing;

 private:
  void transform(const ImageSource& image, const SampleContext&, std::span<float> target) const override {
    const ImageExtents extents = with_shorter_side({image.height(), image.width()}, kLeastSide);
    const int top = (extents.height - output().height) / 2;
    const int left = (extents.width - output().width) / 2;
    decode_and_resize(image, {}, cropped(image, extents, output(), top, left), target);
  }
};

}  // namespace

std::unique_ptr<Preprocessing> make_vgg_preprocessing(const PreprocessingOptions& options) {
  const ImageShape& output = options.output;
  if (std::max(output.height, output.width) > kLeastSide)
    throw UsageError(
        "[preprocess] vgg: crops are cut from images whose shorter side is {}, got an output of {} x {}; take a smaller image size or preprocessing_name=inception",
        kLeastSide, output.height, output.width);
  if (options.mode == PreprocessingMode::training) return std::make_unique<VggTraining>(output);
  return std::make_unique<VggEvaluation>(output);
}

ImageExtents with_shorter_side(const ImageExtents& image, int side) {
  const float scale = static_cast<float>(side) / static_cast<float>(std::min(image.height, image.width));
  const auto scaled = [scale](int n) { return static_cast<int>(std::lrint(static_cast<float>(n) * scale)); };
  return {.height = scaled(image.height), .width = scaled(image.width)};
}

}  // namespace fastnn
