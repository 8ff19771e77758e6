#include "data/preprocess/cifarnet.h"

#include <algorithm>

#include "data/preprocess/colour.h"
#include "data/preprocess/sample_random.h"
#include "data/preprocess/scratch.h"
#include "data/preprocess/statistics.h"
#include "engine/base/error.h"

namespace fastnn {
namespace {

constexpr int kPadding = 4;

/// pixels: [H, W, 3]
void flip_left_right(std::span<float> pixels, int width) {
  for (; !pixels.empty(); pixels = pixels.subspan(std::size_t(width) * 3))
    for (int left = 0, right = width - 1; left < right; ++left, --right)
      std::ranges::swap_ranges(pixels.subspan(std::size_t(left) * 3, 3),
                               pixels.subspan(std::size_t(right) * 3, 3));
}

class CifarnetTraining final : public Preprocessing {
 public:
  using Preprocessing::Preprocessing;

 private:
  void transform(const ImageSource& image, const SampleContext& context,
                 std::span<float> target) const override {
    const SampleKey& key = context.key;
    decode_and_place(image, window(image.height(), image.width(), draw_crop(image, key)), output().width,
                     target);
    if (SampleRandom(key, "flip").coin()) flip_left_right(target, output().width);
    constexpr ColourStep kSteps[] = {ColourStep::brightness, ColourStep::contrast};
    distort_colour(target, kSteps,
                   {.brightness = SampleRandom(key, "brightness").uniform(-63, 63),
                    .contrast = SampleRandom(key, "contrast").uniform(0.2F, 1.8F)});
    standardize(target);
  }

  Rectangle draw_crop(const ImageSource& image, const SampleKey& key) const {
    const int free_rows = image.height() + 2 * kPadding - output().height;
    const int free_columns = image.width() + 2 * kPadding - output().width;
    if (free_rows < 0 || free_columns < 0)
      throw InputError(
          "[preprocess] cifarnet: the image, with {} pixels of padding on each side, must hold a crop of {} x {}, got an image of {} x {}; take a smaller image size",
          kPadding, output().height, output().width, image.height(), image.width());
    SampleRandom random(key, "crop");
    const int top = random.below(free_rows + 1) - kPadding;
    const int left = random.below(free_columns + 1) - kPadding;
    return {.top = top, .left = left, .height = output().height, .width = output().width};
  }
};

class CifarnetEvaluation final : public Preprocessing {
 public:
  using Preprocessing::Preprocessing;

 private:
  void transform(const ImageSource& image, const SampleContext&, std::span<float> target) const override {
    decode_and_place(image, crop_or_pad(image.height(), image.width(), output().height, output().width),
                     output().width, target);
    standardize(target);
  }
};

}  // namespace

std::unique_ptr<Preprocessing> make_cifarnet_preprocessing(const PreprocessingOptions& options) {
  if (options.mode == PreprocessingMode::training) return std::make_unique<CifarnetTraining>(options.output);
  return std::make_unique<CifarnetEvaluation>(options.output);
}

}  // namespace fastnn
