#include "data/synth/write.h"

#include <string>

#include "data/datasets/dataset_table.h"
#include "data/datasets/file_list.h"
#include "data/images/png.h"
#include "data/synth/draw.h"
#include "engine/base/error.h"

namespace fastnn {
namespace {

RecordFilePlan plan_of(Split split, const SplitInfo& info, std::int64_t samples, std::uint64_t seed) {
  return {std::string(info.files), samples, [split, seed](std::int64_t index) {
            const ShapesSample sample = draw_shapes_sample(seed, name_of(split), index);
            return serialize_image_record({.encoded = encode_png(sample.image),
                                           .format = "png",
                                           .label = sample.label,
                                           .height = sample.image.height(),
                                           .width = sample.image.width()});
          }};
}

}  // namespace

std::vector<WrittenFile> write_shapes(const SynthOptions& options, const WriteProgress& progress) {
  if (options.train_samples < 1 || options.validation_samples < 1)
    throw UsageError("[synth] each split needs a sample: got train_samples {}, validation_samples {}",
                     options.train_samples, options.validation_samples);
  require_local(options.output_dir.string(), "output_dir");
  const DatasetInfo& info = *find_dataset("shapes");
  const RecordFilePlan plans[] = {
      plan_of(Split::train, info.train, options.train_samples, options.seed),
      plan_of(Split::validation, info.validation, options.validation_samples, options.seed),
  };
  return write_record_files(options.output_dir, plans, info.class_names, progress);
}

}  // namespace fastnn
