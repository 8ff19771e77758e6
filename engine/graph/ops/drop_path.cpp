#include "engine/graph/ops/drop_path.h"

#include "engine/base/hash.h"

namespace fastnn {

DropPath::DropPath(DropPathAttributes drop_path, std::string mask_name)
    : drop_path_(drop_path), mask_name_(std::move(mask_name)) {
  const double keep = drop_path.final_keep_probability;
  if (!(keep > 0 && keep <= 1))
    throw UsageError("[drop_path] final_keep_probability must be in (0, 1], got {}", keep);
  if (drop_path.steps < 1) throw UsageError("[drop_path] steps must be at least 1, got {}", drop_path.steps);
}

std::uint64_t DropPath::mask_key() const {
  return fnv1a64(mask_name_);
}

std::string DropPath::attributes() const {
  return fmt::format("keep {} after {} steps", drop_path_.final_keep_probability, drop_path_.steps);
}

std::vector<OperandSpec> DropPath::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 1);
  return {inputs[0]};
}

std::vector<Value> DropPath::gradient(const GradientRequest& request) const {
  return {request.graph.add_single(request.name("input"), std::make_shared<DropPath>(drop_path_, mask_name_),
                                   {request.output_gradients[0]})};
}

Value drop_path(Graph& graph, Value x, DropPathAttributes attributes, const std::string& name) {
  return graph.add_single(name, std::make_shared<DropPath>(attributes, name), {x});
}

}  // namespace fastnn
