#pragma once

#include "kernels/dropout_mask.h"

namespace fastnn::kernels::cpu {

/// y = x / keep_prob where dropout_mask() keeps the element, else 0. x, y [N,E]; y may be x.
/// The gradient is the same function: dropout(options, dy, dx); no mask is stored.
template <class A>
void dropout(const Dropout& options, const A* x, A* y);

}  // namespace fastnn::kernels::cpu
