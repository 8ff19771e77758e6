#pragma once

#include "engine/device/cpu/onednn.h"
#include "engine/device/lowering.h"
#include "kernels/depthwise.h"

namespace fastnn::cpu {

/// Depthwise convolutions and their gradients. The table refers to 'onednn'.
LoweringTable depthwise_lowerings(const OneDnn& onednn);

/// Does oneDNN run a depthwise convolution better than the own kernel? Only with depthwise code, or M > 1.
bool is_onednn_best(const kernels::DepthwiseConv2d& conv, const OneDnnOperation& operation);

Lowering lower_depthwise_conv2d(const OneDnn& onednn, const LoweringRequest& request);

/// Layout of the master weights of a depthwise convolution: that of its weight gradient. oneDNN's where it
/// has depthwise code or M > 1, else plain, for an own kernel: oneDNN would pad each channel to 16 x 16.
WeightLayout depthwise_weights(const OneDnn& onednn, const kernels::DepthwiseConv2d& conv, Dtype type);

}  // namespace fastnn::cpu
