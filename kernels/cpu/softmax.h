#pragma once

#include <cstdint>

#include "kernels/loss.h"

namespace fastnn::kernels::cpu {

/// y[n,:] = exp(x[n,:] - max) / sum. x, y [N,C]; y may be x.
void softmax(std::int64_t N, std::int64_t C, const float* x, float* y);

/// Loss = sum over the valid rows of -sum_c target[n,c] * log softmax(logits)[n,c], divided by 'divisor'.
/// Also writes the probabilities [N,C] (of all rows) and each row's loss, undivided, to row_losses [N] (0 in
/// rows that are not valid). A label outside [0, C) in a valid row makes the loss NaN.
float softmax_cross_entropy(const CrossEntropy& options, const float* logits, const std::int32_t* labels,
                            float* probabilities, float* row_losses);

/// d_logits = (probabilities - target) * d_loss / divisor; 0 in rows that are not valid, NaN in rows whose
/// label is outside [0, C). d_loss: gradient of the loss. d_logits may be probabilities.
void softmax_cross_entropy_gradient(const CrossEntropy& options, const float* probabilities,
                                    const std::int32_t* labels, float d_loss, float* d_logits);

/// Number of the given rows whose first maximum stands at the label. NaN is never a maximum.
std::int64_t correct_count(std::int64_t rows, std::int64_t C, const float* logits,
                           const std::int32_t* labels);

/// Number of rows that TensorFlow's in_top_k calls correct: fewer than k classes are strictly larger than the
/// label's (ties count as correct); false if the label is outside [0, C) or any logit of the row is not
/// finite.
std::int64_t top_k_count(std::int64_t rows, std::int64_t C, std::int64_t k, const float* logits,
                         const std::int32_t* labels);

}  // namespace fastnn::kernels::cpu
