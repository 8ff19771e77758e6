#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "data/pipeline/sample.h"
#include "data/preprocess/image_source.h"
#include "data/preprocess/sample_context.h"

namespace fastnn {

/// Training may augment; evaluation never does.
enum class PreprocessingMode { training, evaluation };

struct PreprocessingOptions {
  PreprocessingMode mode = PreprocessingMode::training;
  /// Extents of the preprocessed image; 3 channels.
  ImageShape output{};
};

/// Turns an image into the floats a net reads. Thread-safe: one object serves all pipeline threads, each of
/// which keeps its own buffers, so that nothing is allocated once the sizes have been seen.
class Preprocessing {
 public:
  explicit Preprocessing(const ImageShape& output) : output_(output) {}
  virtual ~Preprocessing() = default;

  const ImageShape& output() const { return output_; }

  /// Whether the record's boxes count; others need not be read.
  virtual bool uses_boxes() const { return false; }

  /// Writes the preprocessed image, output() as [H, W, C]. A pure function of the pixels and, in training, of
  /// the context. Throws UsageError if the span has another size or the decoded pixels other channels,
  /// InputError if the image is too small or a box senseless, and what the source throws.
  void run(const ImageSource& image, const SampleContext& context, std::span<float> target) const;

 private:
  /// The target has output().elements() floats.
  virtual void transform(const ImageSource& image, const SampleContext& context,
                         std::span<float> target) const = 0;

  ImageShape output_;
};

/// A row of the table of preprocessings.
struct PreprocessingEntry {
  std::string_view name;
  std::string_view summary;
  /// Throws UsageError for an output this preprocessing cannot give.
  std::unique_ptr<Preprocessing> (*make)(const PreprocessingOptions& options);
};

std::span<const PreprocessingEntry> preprocessings();

/// Throws UsageError for an unknown name (lists the known ones), for an output without pixels, with other
/// than 3 channels, or that this preprocessing cannot give.
std::unique_ptr<Preprocessing> make_preprocessing(std::string_view name, const PreprocessingOptions& options);

}  // namespace fastnn
