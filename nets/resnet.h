#pragma once

#include <vector>

#include "nets/net_table.h"

namespace fastnn {

/// resnet_v1_50, 101, 152, 200 (He et al., "Deep residual learning", 2015, arXiv 1512.03385) and
/// resnet_v2_50, 101, 152, 200 (He et al., "Identity mappings", 2016, arXiv 1603.05027) as TF-Slim has them,
/// with the stride in the last unit of a block; and resnet50_v1_5, with the stride in the 3x3 convolution of
/// the first, as published throughput figures mean it.
std::vector<NetEntry> resnet_entries();

}  // namespace fastnn
