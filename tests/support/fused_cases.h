#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/case_runner.h"

namespace fastnn::tests {

enum class FusedForm { fused, composed };

/// A fused operation and the operations it stands for: both must give the same bits.
struct FusedCase {
  using Build = std::function<std::vector<Value>(Graph&, const std::vector<Value>&)>;

  std::string name;
  std::vector<CaseOperand> operands;
  /// Add the operations and return their results, in the same order.
  Build fused;
  Build composed;
};

/// All cases. A new fused operation is tested on every device by its rows here.
const std::vector<FusedCase>& fused_cases();

/// One form of a case made ready on a device.
class FusedRunner {
 public:
  FusedRunner(const FusedCase& fused_case, FusedForm form, Device& device,
              MemoryReuse reuse = MemoryReuse::on);

  /// The results, in float64.
  std::vector<Tensor> run(const CaseValues& values);
  Plan& plan() { return *plan_; }

 private:
  std::vector<CaseOperand> operands_;
  std::vector<Value> values_;
  std::vector<Value> results_;
  std::unique_ptr<TrainState> state_;
  std::unique_ptr<Plan> plan_;
};

}  // namespace fastnn::tests
