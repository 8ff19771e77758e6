#include "engine/graph/ops/dropout.h"

#include "engine/base/hash.h"

namespace fastnn {

Dropout::Dropout(double keep_probability, std::string mask_name)
    : keep_probability_(keep_probability), mask_name_(std::move(mask_name)) {
  if (!(keep_probability > 0 && keep_probability <= 1))
    throw UsageError("[dropout] keep_probability must be in (0, 1], got {}", keep_probability);
}

std::uint64_t Dropout::mask_key() const {
  return fnv1a64(mask_name_);
}

std::string Dropout::attributes() const {
  return fmt::format("keep {}", keep_probability_);
}

std::vector<OperandSpec> Dropout::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  return {inputs[0]};
}

std::vector<Value> Dropout::gradient(const GradientRequest& request) const {
  return {request.graph.add_single(request.name("input"),
                                   std::make_shared<Dropout>(keep_probability_, mask_name_),
                                   {request.output_gradients[0]})};
}

Value dropout(Graph& graph, Value x, double keep_probability, const std::string& name) {
  return graph.add_single(name, std::make_shared<Dropout>(keep_probability, name), {x});
}

}  // namespace fastnn
