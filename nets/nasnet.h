#pragma once

#include "nets/net_table.h"

namespace fastnn {

/// nasnet_cifar, nasnet_mobile, nasnet_large: NASNet-A (Zoph, Vasudevan, Shlens, Le, "Learning transferable
/// architectures for scalable image recognition", 2017) as TF-Slim has them.
std::vector<NetEntry> nasnet_entries();

}  // namespace fastnn
