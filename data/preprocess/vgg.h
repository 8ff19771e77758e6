#pragma once

#include <memory>

#include "data/preprocess/preprocessing.h"

namespace fastnn {

/// TF-Slim's vgg preprocessing, of vgg and resnet: bilinear to a shorter side, the aspect kept; a crop of the
/// output size; (123.68, 116.78, 103.94) subtracted, no scaling.
///   training    the shorter side is uniform in 256 .. 512, the crop anywhere, flipped half of the time
///   evaluation  the shorter side is 256, the crop int((n - size) / 2) from the edges
/// Throws UsageError for an output of more than 256 pixels on a side, which could not be cut from all images.
std::unique_ptr<Preprocessing> make_vgg_preprocessing(const PreprocessingOptions& options);

/// Extents of an image.
struct ImageExtents {
  int height = 0;
  int width = 0;

  bool operator==(const ImageExtents&) const = default;
};

/// Extents scaled so that the shorter is 'side': both n * (side / shorter) in float32, rounded to even.
ImageExtents with_shorter_side(const ImageExtents& image, int side);

}  // namespace fastnn
