#pragma once

#include "nets/net_table.h"

namespace fastnn {

/// pnasnet_large, pnasnet_mobile: PNASNet-5 (Liu et al., "Progressive neural architecture search", 2017) as
/// TF-Slim has them.
std::vector<NetEntry> pnasnet_entries();

}  // namespace fastnn
