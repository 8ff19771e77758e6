#include "data/datasets/image_reader.h"

#include <utility>

#include "data/records/example.h"
#include "engine/core/error.h"

namespace fastnn {

ImageReader::ImageReader(const Options& options, std::unique_ptr<Preprocessing> preprocessing)
    : options_(options), preprocessing_(std::move(preprocessing)) {
  if (options.classes < 1)
    throw UsageError("[datasets] at least one class is needed, got {}", options.classes);
}

ImageReader::ImageReader(const Dataset& dataset, std::unique_ptr<Preprocessing> preprocessing)
    : ImageReader({.labels_offset = dataset.labels_offset(), .classes = dataset.classes()},
                  std::move(preprocessing)) {}

std::int32_t ImageReader::read(std::span<const std::byte> record, const RecordOrigin& origin,
                               const SampleKey& key, std::span<float> image) const {
  const Example example(record, origin);
  const std::int32_t label = class_of(example.integer("image/class/label"), origin);
  const auto encoded = example.bytes("image/encoded");
  try {
    const EncodedImage source(encoded, options_.decode);
    preprocessing_->run(EncodedSource(source), {.key = key}, image);
  } catch (const InputError& error) {
    throw InputError("{} (image/encoded of {})", error.what(), origin.text());
  }
  return label;
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
