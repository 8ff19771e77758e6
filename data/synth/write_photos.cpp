#include "data/synth/write_photos.h"

#include <string>

#include "data/datasets/file_list.h"
#include "data/images/jpeg_encoder.h"
#include "data/synth/photos.h"
#include "data/synth/random.h"
#include "engine/base/error.h"

namespace fastnn {
namespace {

/// Gives 110 KB on average.
constexpr int kQuality = 94;
constexpr std::string_view kClassNames[] = {"a", "b", "c", "d", "e"};

RecordFilePlan plan_of(const std::string& split, std::int64_t samples, std::uint64_t seed) {
  return {"photos_" + split + ".tfrecord", samples, [split, seed](std::int64_t index) {
            SampleRandom random(seed, "label of " + split, index);
            return serialize_image_record({.encoded = encode_jpeg(draw_photo(seed, split, index), kQuality),
                                           .format = "jpg",
                                           .label = random.below(static_cast<int>(std::size(kClassNames))),
                                           .height = kPhotoHeight,
                                           .width = kPhotoWidth});
          }};
}

}  // namespace

std::vector<WrittenFile> write_photos(const SynthOptions& options, const WriteProgress& progress) {
  if (options.train_samples < 1 || options.validation_samples < 1)
    throw UsageError("[synth] each split needs a sample: got train_samples {}, validation_samples {}",
                     options.train_samples, options.validation_samples);
  require_local(options.output_dir.string(), "output_dir");
  const RecordFilePlan plans[] = {plan_of("train", options.train_samples, options.seed),
                                  plan_of("validation", options.validation_samples, options.seed)};
  return write_record_files(options.output_dir, plans, kClassNames, progress);
}

}  // namespace fastnn
