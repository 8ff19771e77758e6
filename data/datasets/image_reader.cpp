#include "data/datasets/image_reader.h"

#include <utility>

#include "data/images/formats.h"
#include "data/records/example.h"
#include "engine/base/error.h"

namespace fastnn {
namespace {

/// Tells apart the time of decoding, which a preprocessing calls for, and its own.
class TimedSource final : public ImageSource {
 public:
  TimedSource(const ImageSource& source, StageClock& clock) : source_(source), clock_(clock) {}

  int height() const override { return source_.height(); }
  int width() const override { return source_.width(); }

  void decode_crop(const Rectangle& crop, Image& out) const override {
    clock_.finish(Stage::preprocess);
    source_.decode_crop(crop, out);
    clock_.finish(Stage::decode);
  }

 private:
  const ImageSource& source_;
  StageClock& clock_;
};

}  // namespace

ImageReader::ImageReader(const Options& options, std::unique_ptr<Preprocessing> preprocessing, Log& log)
    : options_(options), preprocessing_(std::move(preprocessing)), log_(log) {
  if (options.classes < 1)
    throw UsageError("[datasets] at least one class is needed, got {}", options.classes);
}

ImageReader::ImageReader(const Dataset& dataset, const DecodeOptions& decode,
                         std::unique_ptr<Preprocessing> preprocessing, Log& log)
    : ImageReader({.labels_offset = dataset.labels_offset(),
                   .classes = dataset.classes(),
                   .decode = decode,
                   .schema = dataset.schema()},
                  std::move(preprocessing), log) {}

std::int32_t ImageReader::read(std::span<const std::byte> record, const RecordOrigin& origin,
                               const SampleKey& key, std::span<float> target, StageClock& clock) const {
  const Example example(record, origin);
  const ImageExample parsed = parse_image_example(example, options_.schema);
  const std::int32_t label = class_of(parsed.label, origin);
  std::vector<ObjectBox> boxes;
  if (preprocessing_->uses_boxes()) boxes = parse_boxes(example, origin);
  Image raw;
  const bool is_raw = parsed.format == "raw";
  if (is_raw)
    raw = raw_image(example, options_.schema, parsed.encoded, origin);
  else
    warn_of_format(parsed, origin);
  clock.finish(Stage::decode);
  const auto run = [&](const ImageSource& image) {
    preprocessing_->run(TimedSource(image, clock), {.key = key, .boxes = boxes}, target);
  };
  try {
    if (is_raw)
      run(PixelSource(raw));
    else
      run(EncodedSource(EncodedImage(parsed.encoded, options_.decode)));
  } catch (const InputError& error) {
    throw InputError("{} ({} of {})", error.what(), options_.schema.image_feature, origin.text());
  }
  clock.finish(Stage::preprocess);
  return label;
}

void ImageReader::warn_of_format(const ImageExample& example, const RecordOrigin& origin) const {
  if (example.format.empty() || has_warned_.load(std::memory_order_relaxed)) return;
  const ImageFormat* found = sniff_format(example.encoded);
  if (found == nullptr || found->name == example.format || has_warned_.exchange(true)) return;
  log_.warning(fmt::format(
      "[datasets] image/format says {}, the image is a {}: the content counts, here and in records like it; first seen in {}",
      example.format, found->name, origin.text()));
}

std::int32_t ImageReader::class_of(std::int64_t label, const RecordOrigin& origin) const {
  const std::int64_t first = options_.labels_offset;
  const std::int64_t last = first + options_.classes - 1;
  if (label < first || label > last)
    throw InputError(
        "[datasets] label {} of {} is outside {} .. {} (num_classes {}, labels_offset {}); set num_classes to the number of classes, and labels_offset to the smallest label",
        label, origin.text(), first, last, options_.classes, options_.labels_offset);
  return static_cast<std::int32_t>(label - first);
}

}  // namespace fastnn
