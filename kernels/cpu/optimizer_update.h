#pragma once

#include "kernels/optimizer_update.h"

namespace fastnn::kernels::cpu {

/// Sums of the gradients and of the L2 loss over all segments: reference::gradient_statistics, gradients in
/// float, sums in double. The work is cut into parts by the number of elements alone, whose sums are added in
/// order: the same bits for any number of threads. Reads gradients, and weights where l2 is not 0.
/// No heap allocation. Any count, any alignment; fastest where the buffers start on cache lines.
GradientStatistics gradient_statistics(const OptimizerBuffers<float>& buffers, double gradient_scale);

/// One fused update of weights and slots in float: reference::update in one pass over memory.
/// The same bits for any number of threads. Writes nothing if the statistics are not finite.
void update(const OptimizerBuffers<float>& buffers, const OptimizerParameters& parameters,
            const UpdateStep& step, const GradientStatistics& statistics);

}  // namespace fastnn::kernels::cpu
