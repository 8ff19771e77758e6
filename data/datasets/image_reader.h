#pragma once

#include <memory>

#include "data/datasets/dataset.h"
#include "data/images/encoded_image.h"
#include "data/pipeline/sample.h"
#include "data/preprocess/preprocessing.h"

namespace fastnn {

/// Reads records of TF-Slim's layout: an Example with image/encoded (any format that can be decoded;
/// image/format does not count) and image/class/label.
class ImageReader final : public SampleReader {
 public:
  struct Options {
    /// Labels are offset .. offset + classes - 1.
    int labels_offset = 0;
    int classes = 0;
    DecodeOptions decode{};
  };

  /// Throws UsageError if there is no class.
  ImageReader(const Options& options, std::unique_ptr<Preprocessing> preprocessing);
  ImageReader(const Dataset& dataset, std::unique_ptr<Preprocessing> preprocessing);

  ImageShape image_shape() const override { return preprocessing_->output(); }

  std::int32_t read(std::span<const std::byte> record, const RecordOrigin& origin, const SampleKey& key,
                    std::span<float> image) const override;

 private:
  std::int32_t class_of(std::int64_t label, const RecordOrigin& origin) const;

  Options options_;
  std::unique_ptr<Preprocessing> preprocessing_;
};

}  // namespace fastnn
