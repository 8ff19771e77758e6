#pragma once

#include "engine/device/lowering.h"

namespace fastnn::reference {

/// Depthwise convolutions and their gradients.
LoweringTable depthwise_lowerings();

}  // namespace fastnn::reference
