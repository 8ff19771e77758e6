#pragma once

#include <span>

#include "data/images/image.h"
#include "data/preprocess/image_source.h"
#include "data/preprocess/placement.h"
#include "data/preprocess/resize.h"

namespace fastnn {

// Steps of preprocessings that need buffers. Each thread keeps its own until it ends, so that a thread that
// has seen its sizes allocates nothing. Both throw UsageError if the decoded pixels have other than 3
// channels, and what the source throws.

/// Decodes what the resized crop of the image depends on, and resizes it. The axes of the options are those
/// of the crop. target: [rows.count, columns.count, 3].
void decode_and_resize(const ImageSource& image, const Rectangle& crop, const ResizeOptions& options,
                       std::span<float> target);

/// Decodes the part of the image that is placed, and writes it with zeros around it to a target of that
/// width.
void decode_and_place(const ImageSource& image, const Placement& placement, int target_width,
                      std::span<float> target);

}  // namespace fastnn
