#pragma once

#include <vector>

#include "nets/net_table.h"

namespace fastnn {

/// cifarnet as TF-Slim has it (after Krizhevsky's cuda-convnet): two 5x5 convolutions with max pooling and
/// local response normalisation, three dense layers, dropout.
std::vector<NetEntry> cifarnet_entries();

}  // namespace fastnn
