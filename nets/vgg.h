#pragma once

#include "nets/net_table.h"

namespace fastnn {

/// vgg_a, vgg_16, vgg_19 (Simonyan, Zisserman, "Very deep convolutional networks for large-scale image
/// recognition", 2014; columns A, D, E of its table 1) as TF-Slim has them: dense layers as convolutions.
std::vector<NetEntry> vgg_entries();

}  // namespace fastnn
