#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "data/pipeline/stage_times.h"

namespace fastnn {

/// Where a record comes from, for messages. A view: the source of the record keeps the name of the file.
struct RecordOrigin {
  std::string_view file;
  /// Index of the record in its file, from 0.
  std::int64_t record = 0;
  /// Byte of the file at which the record's header starts.
  std::int64_t byte = 0;

  /// "train-00017.tfrecord, record 412, byte 81920".
  std::string text() const;
};

/// What the random numbers of one sample's augmentation depend on: nothing else.
struct SampleKey {
  std::uint64_t seed = 0;
  /// Position in the endless stream of samples; epoch = position / samples of an epoch.
  std::int64_t position = 0;
};

/// Extents of one preprocessed image: H, W, C, dense.
struct ImageShape {
  int height = 0;
  int width = 0;
  int channels = 3;

  std::size_t elements() const { return std::size_t(height) * width * channels; }
  bool operator==(const ImageShape&) const = default;
};

/// Turns the payload of one record into one preprocessed sample. Thread-safe: one reader serves all pipeline
/// threads.
class SampleReader {
 public:
  virtual ~SampleReader() = default;

  virtual ImageShape image_shape() const = 0;

  /// Writes the preprocessed image to 'image' ([H, W, C], image_shape()) and returns the label, labels_offset
  /// subtracted, checked against [0, classes).
  /// Throws InputError naming the origin when the record lacks a feature, cannot be decoded or has a label
  /// outside. Gives the time it takes to the clock's stages.
  virtual std::int32_t read(std::span<const std::byte> record, const RecordOrigin& origin,
                            const SampleKey& key, std::span<float> image, StageClock& clock) const = 0;
};

}  // namespace fastnn
