#include "data/preprocess/preprocessing.h"

#include <algorithm>
#include <vector>

#include "data/preprocess/cifarnet.h"
#include "data/preprocess/inception.h"
#include "data/preprocess/lenet.h"
#include "data/preprocess/vgg.h"
#include "engine/base/error.h"
#include "engine/base/names.h"

namespace fastnn {
namespace {

constexpr PreprocessingEntry kPreprocessings[] = {
    {"inception", "random crop, flip, brightness and saturation, to [-1, 1]", make_inception_preprocessing},
    {"inception_full", "inception with four ways to resize and hue and contrast in four orders",
     make_inception_full_preprocessing},
    {"vgg", "random scale, random crop, flip, mean colour subtracted", make_vgg_preprocessing},
    {"cifarnet", "random shift, flip, brightness and contrast, then standardised",
     make_cifarnet_preprocessing},
    {"lenet", "crop or pad to the size, then (x - 128) / 128", make_lenet_preprocessing},
};

std::vector<std::string_view> known_names() {
  std::vector<std::string_view> names;
  for (const PreprocessingEntry& entry : kPreprocessings) names.push_back(entry.name);
  return names;
}

}  // namespace

void Preprocessing::run(const ImageSource& image, const SampleContext& context,
                        std::span<float> target) const {
  if (target.size() != output_.elements())
    throw UsageError("[preprocess] {} x {} x {} = {} floats are written, the target has {}", output_.height,
                     output_.width, output_.channels, output_.elements(), target.size());
  transform(image, context, target);
}

std::span<const PreprocessingEntry> preprocessings() {
  return kPreprocessings;
}

std::unique_ptr<Preprocessing> make_preprocessing(std::string_view name,
                                                  const PreprocessingOptions& options) {
  const auto* entry = std::ranges::find(kPreprocessings, name, &PreprocessingEntry::name);
  if (entry == std::end(kPreprocessings))
    throw UsageError("[preprocess] {}", unknown_name("preprocessing", name, known_names()));
  const ImageShape& output = options.output;
  if (output.height < 1 || output.width < 1 || output.channels != 3)
    throw UsageError("[preprocess] {}: an image needs at least one pixel and 3 channels, got {} x {} x {}",
                     name, output.height, output.width, output.channels);
  return entry->make(options);
}

}  // namespace fastnn
