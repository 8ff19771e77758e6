#include "engine/graph/ops/correct_count.h"

namespace fastnn {

std::vector<OperandSpec> CorrectCount::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 3);
  const Shape& logits = inputs[0].shape;
  if (logits.rank() != 2 || k_ < 1 || inputs[1].shape != Shape{logits[0]})
    throw UsageError("[correct_count] expected logits [N,C], labels [N] and k >= 1, got {}, {} and {}",
                     logits.text(), inputs[1].shape.text(), k_);
  return {{Shape{}, Dtype::s32}};
}

}  // namespace fastnn
