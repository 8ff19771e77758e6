#include "data/preprocess/lenet.h"

#include <algorithm>

#include "data/preprocess/crop_or_pad.h"
#include "engine/core/error.h"

namespace fastnn {
namespace {

class LenetPreprocessing final : public Preprocessing {
 public:
  explicit LenetPreprocessing(const ImageShape& output) : output_(output) {}

  ImageShape output() const override { return output_; }

  void run(const Image& image, const SampleKey&, std::span<float> target) const override {
    if (image.channels() != output_.channels || target.size() != output_.elements())
      throw UsageError("[preprocess] lenet: {} channels into {} floats expected, got {} into {}",
                       output_.channels, output_.elements(), image.channels(), target.size());
    const Image fitted = crop_or_pad(image, output_.height, output_.width);
    std::ranges::transform(fitted.pixels(), target.begin(),
                           [](std::uint8_t value) { return (static_cast<float>(value) - 128.0F) / 128.0F; });
  }

 private:
  ImageShape output_;
};

}  // namespace

std::unique_ptr<Preprocessing> make_lenet_preprocessing(const PreprocessingOptions& options) {
  return std::make_unique<LenetPreprocessing>(options.output);
}

}  // namespace fastnn
