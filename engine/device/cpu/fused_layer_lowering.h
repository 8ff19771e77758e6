#pragma once

#include "engine/device/cpu/lowering_table.h"

namespace fastnn::cpu {

/// Lowerings of layers with epilogues: oneDNN's post-operations, or kernels one after another where a layer
/// is not oneDNN's; and of what makes their weights.
LoweringTable fused_layer_lowerings(const OneDnn& onednn);

}  // namespace fastnn::cpu
