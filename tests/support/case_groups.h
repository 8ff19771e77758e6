#pragma once

#include "tests/support/operation_cases.h"

namespace fastnn::tests {

/// Groups of rows of operation_cases(), each in a file of its own.

/// Batch norm in training and frozen, ReLU6, scaled residuals.
void add_batch_norm_cases(std::vector<OperationCase>& cases);

/// Depthwise and separable convolution, explicit pads, pools, normalisation across channels, slices and
/// concats, mixed labels.
void add_window_cases(std::vector<OperationCase>& cases);

}  // namespace fastnn::tests
