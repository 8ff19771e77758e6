#pragma once

#include "kernels/lrn.h"

namespace fastnn::kernels::reference {

/// y = x * scale^-beta. x, y [rows,channels].
void lrn(const Lrn& lrn, const double* x, double* y);

/// dx[c] = dy[c] * scale[c]^-beta
///         - 2 alpha beta x[c] * (sum over the channels j around c of dy[j] * x[j] * scale[j]^(-beta-1)).
/// Overwrites dx [rows,channels].
void lrn_gradient(const Lrn& lrn, const double* x, const double* dy, double* dx);

}  // namespace fastnn::kernels::reference
