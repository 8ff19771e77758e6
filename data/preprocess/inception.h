#pragma once

#include <memory>
#include <span>

#include "data/preprocess/colour.h"
#include "data/preprocess/preprocessing.h"

namespace fastnn {

/// TF-Slim's inception preprocessing in fast mode.
///   training    sample_distorted_bounding_box; bilinear to the output size, which distorts; flip half of the
///               time; brightness +-32/255; saturation x 0.5 .. 1.5; clip to [0, 1]; (x - 0.5) * 2
///   evaluation  the central 87.5 % of height and width; bilinear to the output size; (x - 0.5) * 2
std::unique_ptr<Preprocessing> make_inception_preprocessing(const PreprocessingOptions& options);

/// The same with fast_mode off. In training: resized with one of the four methods, and brightness +-32/255,
/// saturation x 0.5 .. 1.5, hue +-0.2 and contrast x 0.5 .. 1.5 in one of four orders.
std::unique_ptr<Preprocessing> make_inception_full_preprocessing(const PreprocessingOptions& options);

/// The steps of one of the orders 0 .. 3 of full mode.
std::span<const ColourStep> inception_colour_steps(int order);

/// The middle of an image: of n pixels from int((n - n * fraction) / 2) to as many before the end.
Rectangle central_crop(int height, int width, double fraction);

}  // namespace fastnn
