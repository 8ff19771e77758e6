#pragma once

#include "nets/net_table.h"

namespace fastnn {

/// alexnet_v2 (Krizhevsky, "One weird trick for parallelizing convolutional neural networks", 2014) as
/// TF-Slim has it: without local response normalisation, dense layers as convolutions.
std::vector<NetEntry> alexnet_entries();

}  // namespace fastnn
