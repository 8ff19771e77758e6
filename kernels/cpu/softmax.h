#pragma once

#include <cstdint>

#include "kernels/loss.h"

namespace fastnn::kernels::cpu {

/// y[n,:] = exp(x[n,:] - max) / sum. x, y [N,C]; y may be x.
void softmax(std::int64_t N, std::int64_t C, const float* x, float* y);

/// dx[n,c] = y[n,c] * (dy[n,c] - sum over j of dy[n,j] * y[n,j]), y: result of softmax(). dx may be dy.
void softmax_gradient(std::int64_t N, std::int64_t C, const float* y, const float* dy, float* dx);

/// Loss = sum over the valid rows of -sum_c target[n,c] * log softmax(logits)[n,c], divided by 'divisor'.
/// Also writes the probabilities [N,C] (of all rows) and each row's loss, undivided, to row_losses [N] (0 in
/// rows that are not valid). A label outside [0, C) in a valid row makes the loss NaN.
float softmax_cross_entropy(const CrossEntropy& options, const float* logits, const std::int32_t* labels,
                            float* probabilities, float* row_losses);

/// d_logits = (probabilities - target) * d_loss / divisor; 0 in rows that are not valid, NaN in rows whose
/// label is outside [0, C). d_loss: gradient of the loss. d_logits may be probabilities.
void softmax_cross_entropy_gradient(const CrossEntropy& options, const float* probabilities,
                                    const std::int32_t* labels, float d_loss, float* d_logits);

/// softmax_cross_entropy() for two labels per row. A label outside [0, C) in a valid row makes the loss NaN,
/// even where its weight is 0.
float mixed_cross_entropy(const CrossEntropy& options, const float* logits, const MixedLabels<float>& labels,
                          float* probabilities, float* row_losses);

/// d_logits of mixed_cross_entropy(), as softmax_cross_entropy_gradient().
void mixed_cross_entropy_gradient(const CrossEntropy& options, const float* probabilities,
                                  const MixedLabels<float>& labels, float d_loss, float* d_logits);

}  // namespace fastnn::kernels::cpu
