#include "engine/graph/ops/mixed_cross_entropy.h"

namespace fastnn {

MixedCrossEntropy::MixedCrossEntropy(double label_smoothing) : label_smoothing_(label_smoothing) {
  if (!(label_smoothing >= 0 && label_smoothing < 1))
    throw UsageError("[mixed_cross_entropy] label_smoothing must be in [0, 1), got {}", label_smoothing);
}

std::vector<OperandSpec> MixedCrossEntropy::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 5);
  const Shape& logits = inputs[0].shape;
  if (logits.rank() != 2)
    throw UsageError("[mixed_cross_entropy] expected logits [N,C], got {}", logits.text());
  const Shape rows{logits[0]};
  const OperandSpec wanted[] = {
      inputs[0], {rows, Dtype::s32}, {rows, Dtype::s32}, {rows, inputs[0].dtype}, {Shape{}, Dtype::s32}};
  constexpr const char* kNames[] = {"logits", "label_a", "label_b", "lambda", "valid_count"};
  for (std::size_t i = 1; i < inputs.size(); ++i)
    if (inputs[i] != wanted[i])
      throw UsageError("[mixed_cross_entropy] expected {} {} {} for logits {}, got {} {}", kNames[i],
                       name_of(wanted[i].dtype), wanted[i].shape.text(), logits.text(),
                       name_of(inputs[i].dtype), inputs[i].shape.text());
  return {{Shape{}, inputs[0].dtype}, inputs[0]};
}

std::vector<Value> MixedCrossEntropy::gradient(const GradientRequest& request) const {
  const Node& node = request.node;
  if (request.output_gradients[1])
    throw UsageError("[autograd] {} has no gradient through its probabilities; use softmax", node.name);
  std::vector<Value> gradients(node.inputs.size());
  if (request.wanted[0])
    gradients[0] = request.graph.add_single(request.name("logits"),
                                            std::make_shared<MixedCrossEntropyGradient>(label_smoothing_),
                                            {node.outputs[1], node.inputs[1], node.inputs[2], node.inputs[3],
                                             node.inputs[4], request.output_gradients[0]});
  return gradients;
}

std::vector<OperandSpec> MixedCrossEntropyGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 6);
  return {inputs[0]};
}

Value mixed_cross_entropy(Graph& graph, const MixedCrossEntropyInputs& inputs, double label_smoothing,
                          std::string name) {
  return graph.add_single(std::move(name), std::make_shared<MixedCrossEntropy>(label_smoothing),
                          {inputs.logits, inputs.label_a, inputs.label_b, inputs.lambda, inputs.valid_count});
}

}  // namespace fastnn
