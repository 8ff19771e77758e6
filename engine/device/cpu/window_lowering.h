#pragma once

#include "engine/device/cpu/onednn.h"
#include "engine/device/lowering.h"
#include "kernels/depthwise.h"

namespace fastnn::cpu {

/// Pools, normalisation across channels, slices, mixed labels, depthwise convolution. The table refers to
/// 'onednn'.
LoweringTable window_lowerings(const OneDnn& onednn);

/// Layout of the master weights of a depthwise convolution: that of its weight gradient. oneDNN's where it
/// has depthwise code, else plain, for an own kernel: as an ordinary grouped convolution oneDNN pads each
/// group to 16 x 16 channels, 256 times the memory (measured: every 5x5 and 7x7 weight gradient, dilation, M
/// > 1).
WeightLayout depthwise_weights(const OneDnn& onednn, const kernels::DepthwiseConv2d& conv);

}  // namespace fastnn::cpu
