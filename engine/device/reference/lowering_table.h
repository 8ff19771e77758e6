#pragma once

#include "engine/device/lowering.h"

namespace fastnn::reference {

/// What the reference device can run.
const LoweringTable& lowering_table();

}  // namespace fastnn::reference
