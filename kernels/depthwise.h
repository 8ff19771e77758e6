#pragma once

#include "kernels/geometry.h"

namespace fastnn::kernels {

/// A depthwise convolution: x [N,H,W,C], weights [R,S,C,M] as TensorFlow stores them, y [N,P,Q,C*M]. Channel
/// c alone gives the output channels c * M ... c * M + M - 1.
struct DepthwiseConv2d {
  Window2d window;
  /// Depth multiplier.
  std::int64_t M = 1;

  bool operator==(const DepthwiseConv2d&) const = default;
};

}  // namespace fastnn::kernels
