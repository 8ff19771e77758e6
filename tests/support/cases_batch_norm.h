#pragma once

#include <vector>

#include "tests/support/operation_cases.h"

namespace fastnn::tests {

/// Rows of operation_cases() for batch norm, and for ReLU6 and scaled residuals.
void add_batch_norms(std::vector<OperationCase>& cases);
void add_residuals(std::vector<OperationCase>& cases);

}  // namespace fastnn::tests
