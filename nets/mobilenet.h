#pragma once

#include <vector>

#include "nets/net_table.h"

namespace fastnn {

/// mobilenet_v1 at widths 1.0, 0.75, 0.50, 0.25 (Howard et al. 2017, arXiv 1704.04861): depthwise and 1x1
/// convolutions in turn.
std::vector<NetEntry> mobilenet_v1_entries();

/// mobilenet_v2 at widths 1.0, 1.4, 0.35 (Sandler et al. 2018, arXiv 1801.04381): inverted residuals with
/// linear bottlenecks.
std::vector<NetEntry> mobilenet_v2_entries();

}  // namespace fastnn
