#pragma once

#include <cstdint>

namespace fastnn::kernels {

/// Softmax cross-entropy of logits [N,C] against labels [N]; the targets are
/// onehot * (1 - label_smoothing) + label_smoothing / C.
struct CrossEntropy {
  std::int64_t N = 0, C = 0;
  /// Only the first rows count; the others are padding of the last batch of an evaluation.
  std::int64_t valid_rows = 0;
  /// The sum over the rows is divided by it: the batch size for a mean.
  double divisor = 1;
  double label_smoothing = 0;
};

/// Two labels per row and the weight of the first (mixup): the loss of row n is
/// lambda[n] * loss(label_a[n]) + (1 - lambda[n]) * loss(label_b[n]). Each [N].
template <class Element>
struct MixedLabels {
  const std::int32_t* label_a = nullptr;
  const std::int32_t* label_b = nullptr;
  const Element* lambda = nullptr;
};

}  // namespace fastnn::kernels
