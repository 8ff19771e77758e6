#pragma once

#include "nets/net_table.h"

namespace fastnn {

/// overfeat (Sermanet et al., "OverFeat: integrated recognition, localization and detection using
/// convolutional networks", 2014; its fast model) as TF-Slim has it: dense layers as convolutions.
std::vector<NetEntry> overfeat_entries();

}  // namespace fastnn
