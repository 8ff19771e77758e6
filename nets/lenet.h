#pragma once

#include "nets/net_table.h"

namespace fastnn {

/// LeNet as TF-Slim has it (after LeCun et al., "Gradient-based learning applied to document recognition",
/// 1998): two 5x5 convolutions with max pooling, two dense layers, dropout. Images of any size from 4 on.
NetOutputs build_lenet(Layers& layers, Value images, const NetOptions& options);

}  // namespace fastnn
