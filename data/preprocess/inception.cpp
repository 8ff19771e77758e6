#include "data/preprocess/inception.h"

#include <array>

#include "data/preprocess/distorted_bounding_box.h"
#include "data/preprocess/sample_random.h"
#include "data/preprocess/scratch.h"

namespace fastnn {
namespace {

using enum ColourStep;

constexpr ColourStep kFastSteps[] = {brightness, saturation, clip_and_centre};
constexpr std::array<ColourStep, 5> kFullSteps[] = {
    {brightness, saturation, hue, contrast, clip_and_centre},
    {saturation, brightness, contrast, hue, clip_and_centre},
    {contrast, hue, brightness, saturation, clip_and_centre},
    {hue, saturation, contrast, brightness, clip_and_centre},
};

ColourChange draw_colour(const SampleKey& key) {
  return {.brightness = SampleRandom(key, "brightness").uniform(-32.0F / 255, 32.0F / 255),
          .saturation = SampleRandom(key, "saturation").uniform(0.5F, 1.5F),
          .hue = SampleRandom(key, "hue").uniform(-0.2F, 0.2F),
          .contrast = SampleRandom(key, "contrast").uniform(0.5F, 1.5F)};
}

ResizeOptions fitting(const Rectangle& crop, const ImageShape& output) {
  return {.rows = {.in = crop.height, .out = output.height, .count = output.height},
          .columns = {.in = crop.width, .out = output.width, .count = output.width}};
}

class InceptionTraining : public Preprocessing {
 public:
  using Preprocessing::Preprocessing;

  bool uses_boxes() const override { return true; }

 private:
  virtual ResizeMethod method(const SampleKey&) const { return ResizeMethod::bilinear; }
  virtual std::span<const ColourStep> steps(const SampleKey&) const { return kFastSteps; }

  void transform(const ImageSource& image, const SampleContext& context,
                 std::span<float> target) const override {
    const SampleKey& key = context.key;
    SampleRandom random(key, "crop");
    const Rectangle crop =
        sample_distorted_bounding_box(image.height(), image.width(), context.boxes, {}, random);
    ResizeOptions resize = fitting(crop, output());
    resize.method = method(key);
    resize.scale = 1.0F / 255;
    if (SampleRandom(key, "flip").coin()) resize.flip = ResizeOptions::Flip::left_right;
    const ColourChange change = draw_colour(key);
    auto colour_steps = steps(key);
    // The resize adds a constant for nothing.
    if (colour_steps.front() == brightness) {
      resize.shift.fill(change.brightness);
      colour_steps = colour_steps.subspan(1);
    }
    decode_and_resize(image, crop, resize, target);
    distort_colour(target, colour_steps, change);
  }
};

class InceptionFullTraining final : public InceptionTraining {
 public:
  using InceptionTraining::InceptionTraining;

 private:
  ResizeMethod method(const SampleKey& key) const override {
    return static_cast<ResizeMethod>(SampleRandom(key, "resize method").below(4));
  }
  std::span<const ColourStep> steps(const SampleKey& key) const override {
    return inception_colour_steps(SampleRandom(key, "colour order").below(4));
  }
};

class InceptionEvaluation final : public Preprocessing {
 public:
  using Preprocessing::Preprocessing;

 private:
  void transform(const ImageSource& image, const SampleContext&, std::span<float> target) const override {
    const Rectangle crop = central_crop(image.height(), image.width(), 0.875);
    ResizeOptions resize = fitting(crop, output());
    resize.scale = 2.0F / 255;
    resize.shift = {-1, -1, -1};
    decode_and_resize(image, crop, resize, target);
  }
};

template <class Training>
std::unique_ptr<Preprocessing> make(const PreprocessingOptions& options) {
  if (options.mode == PreprocessingMode::training) return std::make_unique<Training>(options.output);
  return std::make_unique<InceptionEvaluation>(options.output);
}

}  // namespace

std::unique_ptr<Preprocessing> make_inception_preprocessing(const PreprocessingOptions& options) {
  return make<InceptionTraining>(options);
}

std::unique_ptr<Preprocessing> make_inception_full_preprocessing(const PreprocessingOptions& options) {
  return make<InceptionFullTraining>(options);
}

std::span<const ColourStep> inception_colour_steps(int order) {
  return kFullSteps[order];
}

Rectangle central_crop(int height, int width, double fraction) {
  const auto start = [fraction](int n) { return static_cast<int>((n - n * fraction) / 2); };
  const int top = start(height), left = start(width);
  return {.top = top, .left = left, .height = height - 2 * top, .width = width - 2 * left};
}

}  // namespace fastnn
