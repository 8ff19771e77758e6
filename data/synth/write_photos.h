#pragma once

#include <vector>

#include "data/synth/write.h"

namespace fastnn {

/// Draws the data set "photos": photos_train.tfrecord, photos_validation.tfrecord and labels.txt in TF-Slim's
/// layout, JPEGs of draw_photo() with 110 KB on average. It is there for measuring the input: labels are
/// drawn by lot. Throws what write_shapes throws.
std::vector<WrittenFile> write_photos(const SynthOptions& options, const WriteProgress& progress);

}  // namespace fastnn
