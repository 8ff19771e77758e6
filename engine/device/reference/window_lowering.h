#pragma once

#include "engine/device/lowering.h"

namespace fastnn::reference {

/// Pools, normalisation across channels, slices, mixed labels, depthwise convolution.
LoweringTable window_lowerings();

}  // namespace fastnn::reference
