#pragma once

#include "engine/device/lowerings/operands.h"
#include "engine/graph/ops/correct_count.h"
#include "engine/graph/ops/mixed_cross_entropy.h"
#include "engine/graph/ops/softmax_cross_entropy.h"
#include "kernels/loss.h"

/// Lowerings of what follows the logits. Scalars (valid rows, the loss and its gradient) are read and written
/// where they lie, in device memory.
namespace fastnn::lowerings {

template <class K>
Lowering lower_softmax(const K& k, const LoweringRequest& request) {
  const Shape& x = request.input(0);
  return plain(K::kName, [k, N = x[0], C = x[1]](const Bindings& b) -> Launch {
    return [=, x = in<T<K>>(b, 0), y = out<T<K>>(b)] { k.softmax(N, C, x, y); };
  });
}

template <class K>
Lowering lower_softmax_gradient(const K& k, const LoweringRequest& request) {
  const Shape& dy = request.input(0);
  return plain(K::kName, [k, N = dy[0], C = dy[1]](const Bindings& b) -> Launch {
    return [=, dy = in<T<K>>(b, 0), y = in<T<K>>(b, 1), dx = out<T<K>>(b)] {
      k.softmax_gradient(N, C, y, dy, dx);
    };
  });
}

inline kernels::CrossEntropy cross_entropy_of(const Shape& logits, double label_smoothing) {
  return {.N = logits[0],
          .C = logits[1],
          .divisor = static_cast<double>(logits[0]),
          .label_smoothing = label_smoothing};
}

template <class K>
Lowering lower_softmax_cross_entropy(const K& k, const LoweringRequest& request) {
  const auto options =
      cross_entropy_of(request.input(0), request.operation<SoftmaxCrossEntropy>().label_smoothing());
  Lowering lowering = plain(K::kName, [k, options](const Bindings& b) -> Launch {
    return [k, options, logits = in<T<K>>(b, 0), labels = in<std::int32_t>(b, 1),
            valid = in<std::int32_t>(b, 2), loss = out<T<K>>(b, 0), probabilities = out<T<K>>(b, 1),
            row_losses = static_cast<T<K>*>(b.scratch)] {
      k.softmax_cross_entropy(options, valid, logits, labels, probabilities, row_losses, loss);
    };
  });
  lowering.scratch_bytes = static_cast<std::size_t>(options.N) * sizeof(T<K>);
  return lowering;
}

template <class K>
Lowering lower_softmax_cross_entropy_gradient(const K& k, const LoweringRequest& request) {
  const auto options =
      cross_entropy_of(request.input(0), request.operation<SoftmaxCrossEntropyGradient>().label_smoothing());
  return plain(K::kName, [k, options](const Bindings& b) -> Launch {
    return [k, options, probabilities = in<T<K>>(b, 0), labels = in<std::int32_t>(b, 1),
            valid = in<std::int32_t>(b, 2), dloss = in<T<K>>(b, 3), dlogits = out<T<K>>(b)] {
      k.softmax_cross_entropy_gradient(options, valid, probabilities, labels, dloss, dlogits);
    };
  });
}

template <class K>
Lowering lower_mixed_cross_entropy(const K& k, const LoweringRequest& request) {
  const auto options =
      cross_entropy_of(request.input(0), request.operation<MixedCrossEntropy>().label_smoothing());
  Lowering lowering = plain(K::kName, [k, options](const Bindings& b) -> Launch {
    const kernels::MixedLabels<T<K>> labels{in<std::int32_t>(b, 1), in<std::int32_t>(b, 2), in<T<K>>(b, 3)};
    return
        [k, options, labels, logits = in<T<K>>(b, 0), valid = in<std::int32_t>(b, 4), loss = out<T<K>>(b, 0),
         probabilities = out<T<K>>(b, 1), row_losses = static_cast<T<K>*>(b.scratch)] {
          k.mixed_cross_entropy(options, valid, logits, labels, probabilities, row_losses, loss);
        };
  });
  lowering.scratch_bytes = static_cast<std::size_t>(options.N) * sizeof(T<K>);
  return lowering;
}

template <class K>
Lowering lower_mixed_cross_entropy_gradient(const K& k, const LoweringRequest& request) {
  const auto options =
      cross_entropy_of(request.input(0), request.operation<MixedCrossEntropyGradient>().label_smoothing());
  return plain(K::kName, [k, options](const Bindings& b) -> Launch {
    const kernels::MixedLabels<T<K>> labels{in<std::int32_t>(b, 1), in<std::int32_t>(b, 2), in<T<K>>(b, 3)};
    return [k, options, labels, probabilities = in<T<K>>(b, 0), valid = in<std::int32_t>(b, 4),
            dloss = in<T<K>>(b, 5), dlogits = out<T<K>>(b)] {
      k.mixed_cross_entropy_gradient(options, valid, probabilities, labels, dloss, dlogits);
    };
  });
}

template <class K>
Lowering lower_correct_count(const K& k, const LoweringRequest& request) {
  const std::int64_t top = request.operation<CorrectCount>().k();
  return plain(K::kName, [k, C = request.input(0)[1], top](const Bindings& b) -> Launch {
    return [=, logits = in<T<K>>(b, 0), labels = in<std::int32_t>(b, 1), valid = in<std::int32_t>(b, 2),
            correct = out<std::int32_t>(b)] { k.correct_count(C, top, valid, logits, labels, correct); };
  });
}

/// The rows of this family.
template <class K>
LoweringTable loss_lowerings(const K& k) {
  return rows_for<K>(k, {
                            {"correct_count", lower_correct_count<K>},
                            {"mixed_cross_entropy", lower_mixed_cross_entropy<K>},
                            {"mixed_cross_entropy_gradient", lower_mixed_cross_entropy_gradient<K>},
                            {"softmax", lower_softmax<K>},
                            {"softmax_gradient", lower_softmax_gradient<K>},
                            {"softmax_cross_entropy", lower_softmax_cross_entropy<K>},
                            {"softmax_cross_entropy_gradient", lower_softmax_cross_entropy_gradient<K>},
                        });
}

}  // namespace fastnn::lowerings
