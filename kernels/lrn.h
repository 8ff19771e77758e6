#pragma once

#include <cstdint>

namespace fastnn::kernels {

/// Local response normalisation across channels, TensorFlow's: with scale = bias + alpha * (sum of x^2 over
/// the channels c - depth_radius ... c + depth_radius that exist), y = x * scale^-beta. x, y [rows,channels].
/// bias > 0, alpha >= 0, so that scale is positive.
struct Lrn {
  /// Largest depth_radius of the CPU's kernel.
  static constexpr std::int64_t kMaxRadius = 64;

  std::int64_t rows = 0, channels = 0;
  std::int64_t depth_radius = 5;
  double bias = 1, alpha = 1, beta = 0.5;
};

}  // namespace fastnn::kernels
