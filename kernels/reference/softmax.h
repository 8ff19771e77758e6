#pragma once

#include <cstdint>

#include "kernels/loss.h"

namespace fastnn::kernels::reference {

/// y[n,:] = exp(x[n,:] - max) / sum. x, y [N,C]; y may be x.
void softmax(std::int64_t N, std::int64_t C, const double* x, double* y);

/// dx[n,c] = y[n,c] * (dy[n,c] - sum over j of dy[n,j] * y[n,j]), y: result of softmax(). dx may be dy.
void softmax_gradient(std::int64_t N, std::int64_t C, const double* y, const double* dy, double* dx);

/// Loss = sum over the valid rows of -sum_c target[n,c] * log softmax(logits)[n,c], divided by 'divisor'.
/// Also writes the probabilities [N,C] (of all rows), which the gradient needs. A label outside [0, C) in a
/// valid row makes the loss NaN; callers check labels where they know the record.
double softmax_cross_entropy(const CrossEntropy& options, const double* logits, const std::int32_t* labels,
                             double* probabilities);

/// d_logits = (probabilities - target) * d_loss / divisor; 0 in rows that are not valid, NaN in rows whose
/// label is outside [0, C). d_loss: gradient of the loss. d_logits may be probabilities.
void softmax_cross_entropy_gradient(const CrossEntropy& options, const double* probabilities,
                                    const std::int32_t* labels, double d_loss, double* d_logits);

/// softmax_cross_entropy() for two labels per row. A label outside [0, C) in a valid row makes the loss NaN,
/// even where its weight is 0.
double mixed_cross_entropy(const CrossEntropy& options, const double* logits,
                           const MixedLabels<double>& labels, double* probabilities);

/// d_logits of mixed_cross_entropy(), as softmax_cross_entropy_gradient().
void mixed_cross_entropy_gradient(const CrossEntropy& options, const double* probabilities,
                                  const MixedLabels<double>& labels, double d_loss, double* d_logits);

}  // namespace fastnn::kernels::reference
