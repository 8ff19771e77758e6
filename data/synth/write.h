#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "data/convert/image_record.h"

namespace fastnn {

struct SynthOptions {
  /// Made if it is not there; files of the same names are replaced.
  std::filesystem::path output_dir{};
  std::int64_t train_samples = 10000;
  std::int64_t validation_samples = 2000;
  std::uint64_t seed = 1;
};

/// Draws the sample data set "shapes": shapes_train.tfrecord, shapes_validation.tfrecord and labels.txt in
/// TF-Slim's layout, PNGs of kShapesSize pixels a side. The pixels depend on the seed only.
/// Throws UsageError if a split would be empty, EnvironmentError if the output cannot be written.
std::vector<WrittenFile> write_shapes(const SynthOptions& options, const WriteProgress& progress);

}  // namespace fastnn
