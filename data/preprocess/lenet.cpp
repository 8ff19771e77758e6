#include "data/preprocess/lenet.h"

#include "data/preprocess/scratch.h"

namespace fastnn {
namespace {

class LenetPreprocessing final : public Preprocessing {
 public:
  using Preprocessing::Preprocessing;

 private:
  void transform(const ImageSource& image, const SampleContext&, std::span<float> target) const override {
    decode_and_place(image, crop_or_pad(image.height(), image.width(), output().height, output().width),
                     output().width, target);
    for (float& x : target) x = (x - 128.0F) / 128.0F;
  }
};

}  // namespace

std::unique_ptr<Preprocessing> make_lenet_preprocessing(const PreprocessingOptions& options) {
  return std::make_unique<LenetPreprocessing>(options.output);
}

}  // namespace fastnn
