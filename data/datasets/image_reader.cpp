#include "data/datasets/image_reader.h"

#include <utility>

#include "data/records/example.h"
#include "engine/core/error.h"

namespace fastnn {

ImageReader::ImageReader(const Options& options, std::unique_ptr<Preprocessing> preprocessing, Log& log)
    : options_(options), preprocessing_(std::move(preprocessing)), log_(log) {
  if (options.classes < 1)
    throw UsageError("[datasets] at least one class is needed, got {}", options.classes);
}

ImageReader::ImageReader(const Dataset& dataset, std::unique_ptr<Preprocessing> preprocessing, Log& log)
    : ImageReader({.labels_offset = dataset.labels_offset(),
                   .classes = dataset.classes(),
                   .schema = dataset.schema()},
                  std::move(preprocessing), log) {}

std::int32_t ImageReader::read(std::span<const std::byte> record, const RecordOrigin& origin,
                               const SampleKey& key, std::span<float> image, StageClock& clock) const {
  const Example example(record, origin);
  const ImageExample parsed = parse_image_example(example, options_.schema);
  const std::int32_t label = class_of(parsed.label, origin);
  const Image decoded = parsed.format == "raw" ? raw_image(example, options_.schema, parsed.encoded, origin)
                                               : decode(parsed, origin);
  clock.finish(Stage::decode);
  preprocessing_->run(decoded, key, image);
  clock.finish(Stage::preprocess);
  return label;
}

Image ImageReader::decode(const ImageExample& example, const RecordOrigin& origin) const {
  warn_of_format(example, origin);
  try {
    return decode_image(example.encoded, options_.limits);
  } catch (const InputError& error) {
    throw InputError("{} ({} of {})", error.what(), options_.schema.image_feature, origin.text());
  }
}

void ImageReader::warn_of_format(const ImageExample& example, const RecordOrigin& origin) const {
  if (example.format.empty() || has_warned_.load(std::memory_order_relaxed)) return;
  const ImageFormat* found = sniff_format(example.encoded);
  if (found == nullptr || found->name == example.format || has_warned_.exchange(true)) return;
  log_.warning(fmt::format(
      "[datasets] image/format says {}, the image is a {}: the content counts, here and in records like it; "
      "first seen in {}",
      example.format, found->name, origin.text()));
}

std::int32_t ImageReader::class_of(std::int64_t label, const RecordOrigin& origin) const {
  const std::int64_t first = options_.labels_offset;
  const std::int64_t last = first + options_.classes - 1;
  if (label < first || label > last)
    throw InputError(
        "[datasets] label {} of {} is outside {} .. {} (num_classes {}, labels_offset {}); set num_classes "
        "to the number of classes, and labels_offset to the smallest label",
        label, origin.text(), first, last, options_.classes, options_.labels_offset);
  return static_cast<std::int32_t>(label - first);
}

}  // namespace fastnn
