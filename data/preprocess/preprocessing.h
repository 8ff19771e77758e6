#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "data/images/image.h"
#include "data/pipeline/sample.h"

namespace fastnn {

/// Training may augment; evaluation never does.
enum class PreprocessingMode { training, evaluation };

struct PreprocessingOptions {
  PreprocessingMode mode = PreprocessingMode::training;
  /// Extents of the preprocessed image.
  ImageShape output{};
};

/// Turns a decoded image into the floats a net reads. Thread-safe: one object serves all pipeline threads.
class Preprocessing {
 public:
  virtual ~Preprocessing() = default;

  virtual ImageShape output() const = 0;

  /// Writes the preprocessed image, output() as [H, W, C]. A pure function of the pixels and, in training, of
  /// the key. Throws UsageError if the image has other channels than the output or the span another size.
  virtual void run(const Image& image, const SampleKey& key, std::span<float> target) const = 0;
};

/// A row of the table of preprocessings.
struct PreprocessingEntry {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Preprocessing> (*make)(const PreprocessingOptions& options);
};

std::span<const PreprocessingEntry> preprocessings();

/// Throws UsageError for an unknown name (lists the known ones) and for an output without pixels.
std::unique_ptr<Preprocessing> make_preprocessing(std::string_view name, const PreprocessingOptions& options);

}  // namespace fastnn
