#pragma once

#include "kernels/cpu/row_walk.h"

namespace fastnn::kernels::cpu {

/// The affine part of a batch norm on the columns of a panel. Forward and backward compute the normalised
/// value with this one expression, so that a mask computed anew is the forward pass's own.
struct Normalise {
  Normalise(const RowWalk& walk, const Panel& panel, const float* mean_of, const float* rstd_of,
            const float* gamma_of, const float* beta_of) {
    walk.spread(panel, mean, [=](std::int64_t c) { return mean_of[c]; });
    walk.spread(panel, scale,
                [=](std::int64_t c) { return gamma_of ? gamma_of[c] * rstd_of[c] : rstd_of[c]; });
    walk.spread(panel, shift, [=](std::int64_t c) { return beta_of ? beta_of[c] : 0.0F; });
  }

  float centered(float x, std::int64_t j) const { return x - mean[j]; }
  float normalised(float centered_x, std::int64_t j) const { return centered_x * scale[j] + shift[j]; }

  alignas(64) float mean[kPanelColumns];
  /// gamma * rstd
  alignas(64) float scale[kPanelColumns];
  /// beta
  alignas(64) float shift[kPanelColumns];
};

}  // namespace fastnn::kernels::cpu
