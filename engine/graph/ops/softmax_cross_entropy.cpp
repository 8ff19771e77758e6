#include "engine/graph/ops/softmax_cross_entropy.h"

namespace fastnn {

SoftmaxCrossEntropy::SoftmaxCrossEntropy(double label_smoothing) : label_smoothing_(label_smoothing) {
  if (!(label_smoothing >= 0 && label_smoothing < 1))
    throw UsageError("[softmax_cross_entropy] label_smoothing must be in [0, 1), got {}", label_smoothing);
}

std::vector<OperandSpec> SoftmaxCrossEntropy::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 3);
  const Shape& logits = inputs[0].shape;
  if (logits.rank() != 2 || inputs[1] != OperandSpec{Shape{logits[0]}, Dtype::s32} ||
      inputs[2] != OperandSpec{Shape{}, Dtype::s32})
    throw UsageError(
        "[softmax_cross_entropy] expected logits [N,C], labels s32 [N], valid_count s32 [], got {}, {} {}, {} {}",
        logits.text(), name_of(inputs[1].dtype), inputs[1].shape.text(), name_of(inputs[2].dtype),
        inputs[2].shape.text());
  return {{Shape{}, inputs[0].dtype}, inputs[0]};
}

std::vector<Value> SoftmaxCrossEntropy::gradient(const GradientRequest& request) const {
  const Node& node = request.node;
  if (request.output_gradients[1])
    throw UsageError("[autograd] {} has no gradient through its probabilities; use softmax", node.name);
  return {request.graph.add_single(
              request.name("logits"), std::make_shared<SoftmaxCrossEntropyGradient>(label_smoothing_),
              {node.outputs[1], node.inputs[1], node.inputs[2], request.output_gradients[0]}),
          {},
          {}};
}

std::vector<OperandSpec> SoftmaxCrossEntropyGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 4);
  return {inputs[0]};
}

Value softmax_cross_entropy(Graph& graph, const CrossEntropyInputs& inputs, double label_smoothing,
                            std::string name) {
  return graph.add_single(std::move(name), std::make_shared<SoftmaxCrossEntropy>(label_smoothing),
                          {inputs.logits, inputs.labels, inputs.valid_count});
}

}  // namespace fastnn
