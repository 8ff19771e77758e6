#pragma once

#include "kernels/optimizer_update.h"

namespace fastnn::kernels::reference {

/// Sums of the gradients and of the L2 loss over all segments. Reads gradients, and weights where l2 is not
/// 0.
GradientStatistics gradient_statistics(const OptimizerBuffers<double>& buffers, double gradient_scale);

/// One update of weights and slots: for each element of each segment
///     g = (gradient * gradient_scale + l2 * weight) * clip_factor(norm, max_gradient_norm)
///     rule(weight, g, slots), and weight -= learning_rate * decoupled_decay * (weight before the update)
/// If the statistics are not finite nothing is written (TensorFlow would turn every weight into NaN).
/// @param statistics of these buffers with the same gradient_scale.
void update(const OptimizerBuffers<double>& buffers, const OptimizerParameters& parameters,
            const UpdateStep& step, const GradientStatistics& statistics);

}  // namespace fastnn::kernels::reference
