#pragma once

#include "engine/graph/graph.h"

namespace fastnn {

/// y = mask * x / keep_probability, dense [N, ...]. The mask is a pure function of seed, step, the name given
/// here, the global position of the sample and the element (kernels/dropout_mask.h): the gradient is the same
/// operation on dy.
class Dropout final : public Operation {
 public:
  /// Throws UsageError unless 0 < keep_probability <= 1.
  Dropout(double keep_probability, std::string mask_name);

  double keep_probability() const { return keep_probability_; }
  /// Hash of the mask's name: the operation's key of random numbers.
  std::uint64_t mask_key() const;

  std::string_view kind() const override { return "dropout"; }
  std::string attributes() const override;
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  std::optional<int> in_place_input() const override { return 0; }

 private:
  double keep_probability_;
  std::string mask_name_;
};

Value dropout(Graph& graph, Value x, double keep_probability, const std::string& name);

}  // namespace fastnn
