#pragma once

#include <memory>

#include "data/preprocess/preprocessing.h"

namespace fastnn {

/// TF-Slim's lenet preprocessing, the same in training and evaluation: crop_or_pad to the output size, then
/// (x - 128) / 128. Padding is black, so -1.
std::unique_ptr<Preprocessing> make_lenet_preprocessing(const PreprocessingOptions& options);

}  // namespace fastnn
