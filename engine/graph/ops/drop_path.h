#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// How likely a sample is dropped.
struct DropPathAttributes {
  /// Probability of keeping a sample from step 'steps' on, in (0, 1]. Before, the probability of dropping one
  /// grows linearly with the step, from 0.
  double final_keep_probability = 1;
  std::int64_t steps = 1;
};

/// y[n] = x[n] / keep probability, or 0: whole samples of a branch are dropped. x, y: dense [N, ...]. What is
/// kept is a pure function of seed, step, the name given here and the global position of the sample
/// (kernels/drop_path.h): the gradient is the same operation on dy. Larsson et al. 2016; scheduled as in Zoph
/// et al. 2017.
class DropPath final : public Operation {
 public:
  /// Throws UsageError unless 0 < final_keep_probability <= 1 and steps > 0.
  DropPath(DropPathAttributes drop_path, std::string mask_name);

  const DropPathAttributes& drop_path() const { return drop_path_; }
  /// Hash of the mask's name: the operation's key of random numbers.
  std::uint64_t mask_key() const;

  std::string_view kind() const override { return "drop_path"; }
  std::string attributes() const override;
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  std::optional<int> in_place_input() const override { return 0; }

 private:
  DropPathAttributes drop_path_;
  std::string mask_name_;
};

Value drop_path(Graph& graph, Value x, DropPathAttributes attributes, const std::string& name);

}  // namespace fastnn
