#pragma once

#include <atomic>
#include <memory>

#include "data/datasets/dataset.h"
#include "data/datasets/image_example.h"
#include "data/images/encoded_image.h"
#include "data/pipeline/sample.h"
#include "data/preprocess/preprocessing.h"

namespace fastnn {

/// Reads records of images and labels: an Example in TF-Slim's or ImageNet's layout, or with other names of
/// the two features. The image may be of any format that can be decoded: its content counts, and where
/// image/format says another one, the log warns once. Where it says "raw" the bytes are pixels (raw_image).
class ImageReader final : public SampleReader {
 public:
  struct Options {
    /// Labels are offset .. offset + classes - 1.
    int labels_offset = 0;
    int classes = 0;
    DecodeOptions decode{};
    ImageSchema schema{};
  };

  /// Throws UsageError if there is no class.
  ImageReader(const Options& options, std::unique_ptr<Preprocessing> preprocessing, Log& log);
  ImageReader(const Dataset& dataset, const DecodeOptions& decode,
              std::unique_ptr<Preprocessing> preprocessing, Log& log);

  ImageShape image_shape() const override { return preprocessing_->output(); }

  std::int32_t read(std::span<const std::byte> record, const RecordOrigin& origin, const SampleKey& key,
                    std::span<float> image, StageClock& clock) const override;

 private:
  std::int32_t class_of(std::int64_t label, const RecordOrigin& origin) const;
  void warn_of_format(const ImageExample& example, const RecordOrigin& origin) const;

  Options options_;
  std::unique_ptr<Preprocessing> preprocessing_;
  Log& log_;
  mutable std::atomic<bool> has_warned_ = false;
};

}  // namespace fastnn
