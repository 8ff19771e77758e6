#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/device/device.h"
#include "engine/plan/plan.h"
#include "tests/support/operation_cases.h"

namespace fastnn::tests {

/// Values of operands, in float64 or s32.
using CaseValues = std::map<std::string, Tensor>;

/// Values for all operands of a case, and for "dy", by the golden generator: exact in float32.
CaseValues case_values(const OperationCase& operation_case);
/// The same rounded to bf16, and so exact in it.
CaseValues case_values_in_bf16(const OperationCase& operation_case);

struct CaseResult {
  Tensor y;
  /// d sum(y * dy) / d operand, for each floating-point operand.
  std::map<std::string, Tensor> gradients;
};

/// A case made ready on a device: the operation, and its gradients for the output gradient "dy".
class CaseRunner {
 public:
  CaseRunner(const OperationCase& operation_case, Device& device, MemoryReuse reuse = MemoryReuse::on);
  /// With activations of another type.
  CaseRunner(const OperationCase& operation_case, Device& device, Dtype type, MemoryReuse reuse);

  /// Runs forward and backward; all results in float64.
  CaseResult run(const CaseValues& values);
  Plan& plan() { return *plan_; }
  TrainState& state() { return *state_; }

 private:
  std::vector<CaseOperand> operands_;
  std::vector<Value> values_;
  Value y_;
  Value dy_;
  std::map<Value, Value> gradients_;
  std::unique_ptr<TrainState> state_;
  std::unique_ptr<Plan> plan_;
};

/// Largest |a - b|, relative to the largest |b|; the difference itself where b is all zero; infinite where
/// the shapes differ or a difference is not finite.
double relative_difference(const Tensor& a, const Tensor& b);

}  // namespace fastnn::tests
