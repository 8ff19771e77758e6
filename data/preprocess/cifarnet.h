#pragma once

#include <memory>

#include "data/preprocess/preprocessing.h"

namespace fastnn {

/// TF-Slim's cifarnet preprocessing, on values 0 .. 255 and without any resize.
///   training    4 zeros on each side; a crop of the output size anywhere; flip half of the time; brightness
///               +-63; contrast x 0.2 .. 1.8; then standardize(). run() throws InputError for an image
///               smaller than the output less 8.
///   evaluation  crop_or_pad to the output size, then standardize()
std::unique_ptr<Preprocessing> make_cifarnet_preprocessing(const PreprocessingOptions& options);

}  // namespace fastnn
