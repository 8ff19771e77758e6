#pragma once

#include "engine/device/lowering.h"
#include "engine/graph/ops/correct_count.h"
#include "engine/graph/ops/drop_path.h"
#include "engine/graph/ops/dropout.h"
#include "engine/graph/ops/max_pool.h"
#include "engine/graph/ops/softmax_cross_entropy.h"
#include "kernels/drop_path.h"
#include "kernels/dropout_mask.h"
#include "kernels/loss.h"
#include "kernels/ranking.h"

/// Lowerings that differ between the devices of this processor only in the kernel: K is a struct of the
/// device's kernels (static functions named as in kernels/reference), with the element type of its
/// activations as K::Element, that of what is per channel and of losses as K::Figure, and its name as
/// K::kName.
namespace fastnn::host {

template <class K>
using T = typename K::Element;

template <class K>
using F = typename K::Figure;

template <class E>
const E* in(const Bindings& bindings, std::size_t i) {
  return static_cast<const E*>(bindings.inputs[i]);
}

/// An operand that a node may leave out: null where it has not so many inputs.
template <class E>
const E* optional_in(const Bindings& bindings, std::size_t i) {
  return i < bindings.inputs.size() ? in<E>(bindings, i) : nullptr;
}

template <class E>
E* out(const Bindings& bindings, std::size_t i = 0) {
  return static_cast<E*>(bindings.outputs[i]);
}

/// A lowering without scratch or prepared copies.
inline Lowering plain(std::string implementation, std::function<Launch(const Bindings&)> bind) {
  return {.implementation = std::move(implementation), .prepared = {}, .bind = std::move(bind)};
}

inline std::int64_t rows_of(const Shape& x) {
  return x.elements() / x[-1];
}

template <class K>
Lowering lower_add(const LoweringRequest& request) {
  return plain(K::kName, [count = request.output_elements()](const Bindings& b) -> Launch {
    return [count, a = in<T<K>>(b, 0), c = in<T<K>>(b, 1), y = out<T<K>>(b)] { K::add(count, a, c, y); };
  });
}

template <class K>
Lowering lower_bias_add(const LoweringRequest& request) {
  const Shape& x = request.input(0);
  return plain(K::kName, [rows = rows_of(x), channels = x[-1]](const Bindings& b) -> Launch {
    return [=, x = in<T<K>>(b, 0), biases = in<F<K>>(b, 1), y = out<T<K>>(b)] {
      K::bias_add(rows, channels, x, biases, y);
    };
  });
}

template <class K>
Lowering lower_bias_gradient(const LoweringRequest& request) {
  const Shape& dy = request.input(0);
  Lowering lowering = plain(K::kName, [rows = rows_of(dy), channels = dy[-1]](const Bindings& b) -> Launch {
    return [=, dy = in<T<K>>(b, 0), db = out<F<K>>(b), scratch = b.scratch] {
      K::bias_gradient(rows, channels, dy, db, scratch);
    };
  });
  lowering.scratch_bytes = K::bias_gradient_scratch_bytes(rows_of(dy), dy[-1]);
  return lowering;
}

template <class K>
Lowering lower_bias_relu(const LoweringRequest& request) {
  const Shape& x = request.input(0);
  return plain(K::kName, [rows = rows_of(x), channels = x[-1]](const Bindings& b) -> Launch {
    return [=, x = in<T<K>>(b, 0), biases = in<F<K>>(b, 1), y = out<T<K>>(b)] {
      K::bias_relu(rows, channels, x, biases, y);
    };
  });
}

template <class K>
Lowering lower_bias_relu_gradient(const LoweringRequest& request) {
  const Shape& dy = request.input(0);
  Lowering lowering = plain(K::kName, [rows = rows_of(dy), channels = dy[-1]](const Bindings& b) -> Launch {
    return [=, dy = in<T<K>>(b, 0), y = in<T<K>>(b, 1), dz = out<T<K>>(b, 0), db = out<F<K>>(b, 1),
            scratch = b.scratch] { K::bias_relu_gradient(rows, channels, y, dy, dz, db, scratch); };
  });
  lowering.scratch_bytes = K::bias_gradient_scratch_bytes(rows_of(dy), dy[-1]);
  return lowering;
}

template <class K>
Lowering lower_relu(const LoweringRequest& request) {
  return plain(K::kName, [count = request.output_elements()](const Bindings& b) -> Launch {
    return [count, x = in<T<K>>(b, 0), y = out<T<K>>(b)] { K::relu(count, x, y); };
  });
}

template <class K>
Lowering lower_relu_gradient(const LoweringRequest& request) {
  return plain(K::kName, [count = request.output_elements()](const Bindings& b) -> Launch {
    return [count, dy = in<T<K>>(b, 0), y = in<T<K>>(b, 1), dx = out<T<K>>(b)] {
      K::relu_gradient(count, y, dy, dx);
    };
  });
}

template <class K>
Lowering lower_max_pool(const LoweringRequest& request) {
  const auto& pool = request.operation<MaxPool>();
  const auto window = place_window(request.input(0), pool.kernel(), pool.window());
  return plain(K::kName, [window](const Bindings& b) -> Launch {
    return [window, x = in<T<K>>(b, 0), y = out<T<K>>(b), taps = out<std::uint8_t>(b, 1)] {
      K::max_pool(window, x, y, taps);
    };
  });
}

template <class K>
Lowering lower_max_pool_gradient(const LoweringRequest& request) {
  const auto& pool = request.operation<MaxPoolGradient>();
  const auto window = place_window(request.output(0), pool.kernel(), pool.window());
  return plain(K::kName, [window](const Bindings& b) -> Launch {
    return [window, dy = in<T<K>>(b, 0), taps = in<std::uint8_t>(b, 1), dx = out<T<K>>(b)] {
      K::max_pool_gradient(window, taps, dy, dx);
    };
  });
}

template <class K>
Lowering lower_dropout(const LoweringRequest& request) {
  const auto& operation = request.operation<Dropout>();
  const Shape& x = request.input(0);
  kernels::Dropout dropout{.N = x[0],
                           .E = x.elements() / x[0],
                           .keep_prob = static_cast<float>(operation.keep_probability()),
                           .operation = operation.mask_key()};
  return plain(K::kName, [dropout](const Bindings& b) -> Launch {
    return [dropout, random = b.random, x = in<T<K>>(b, 0), y = out<T<K>>(b)]() mutable {
      dropout.random = *random;
      K::dropout(dropout, x, y);
    };
  });
}

template <class K>
Lowering lower_drop_path(const LoweringRequest& request) {
  const auto& operation = request.operation<DropPath>();
  const Shape& x = request.input(0);
  kernels::DropPath path{.N = x[0],
                         .E = x.elements() / x[0],
                         .final_keep_prob = operation.drop_path().final_keep_probability,
                         .steps = static_cast<double>(operation.drop_path().steps),
                         .operation = operation.mask_key()};
  return plain(K::kName, [path](const Bindings& b) -> Launch {
    return [path, random = b.random, x = in<T<K>>(b, 0), y = out<T<K>>(b)]() mutable {
      path.random = *random;
      K::drop_path(path, x, y);
    };
  });
}

template <class K>
Lowering lower_softmax(const LoweringRequest& request) {
  const Shape& x = request.input(0);
  return plain(K::kName, [N = x[0], C = x[1]](const Bindings& b) -> Launch {
    return [=, x = in<T<K>>(b, 0), y = out<T<K>>(b)] { K::softmax(N, C, x, y); };
  });
}

template <class K>
Lowering lower_softmax_gradient(const LoweringRequest& request) {
  const Shape& dy = request.input(0);
  return plain(K::kName, [N = dy[0], C = dy[1]](const Bindings& b) -> Launch {
    return [=, dy = in<T<K>>(b, 0), y = in<T<K>>(b, 1), dx = out<T<K>>(b)] {
      K::softmax_gradient(N, C, y, dy, dx);
    };
  });
}

inline kernels::CrossEntropy cross_entropy_of(const Shape& logits, double label_smoothing) {
  return {.N = logits[0],
          .C = logits[1],
          .divisor = static_cast<double>(logits[0]),
          .label_smoothing = label_smoothing};
}

inline kernels::CrossEntropy with_valid_rows(kernels::CrossEntropy options, std::int32_t valid_rows) {
  options.valid_rows = valid_rows;
  return options;
}

template <class K>
Lowering lower_softmax_cross_entropy(const LoweringRequest& request) {
  const auto options =
      cross_entropy_of(request.input(0), request.operation<SoftmaxCrossEntropy>().label_smoothing());
  Lowering lowering = plain(K::kName, [options](const Bindings& b) -> Launch {
    return [options, logits = in<T<K>>(b, 0), labels = in<std::int32_t>(b, 1), valid = in<std::int32_t>(b, 2),
            loss = out<T<K>>(b, 0), probabilities = out<T<K>>(b, 1),
            row_losses = static_cast<T<K>*>(b.scratch)] {
      *loss = K::softmax_cross_entropy(with_valid_rows(options, *valid), logits, labels, probabilities,
                                       row_losses);
    };
  });
  lowering.scratch_bytes = static_cast<std::size_t>(options.N) * sizeof(T<K>);
  return lowering;
}

template <class K>
Lowering lower_softmax_cross_entropy_gradient(const LoweringRequest& request) {
  const auto options =
      cross_entropy_of(request.input(0), request.operation<SoftmaxCrossEntropyGradient>().label_smoothing());
  return plain(K::kName, [options](const Bindings& b) -> Launch {
    return [options, probabilities = in<T<K>>(b, 0), labels = in<std::int32_t>(b, 1),
            valid = in<std::int32_t>(b, 2), dloss = in<T<K>>(b, 3), dlogits = out<T<K>>(b)] {
      K::softmax_cross_entropy_gradient(with_valid_rows(options, *valid), probabilities, labels, *dloss,
                                        dlogits);
    };
  });
}

template <class K>
Lowering lower_correct_count(const LoweringRequest& request) {
  const auto count = request.operation<CorrectCount>().k();
  return plain(K::kName, [C = request.input(0)[1], count](const Bindings& b) -> Launch {
    return [=, logits = in<T<K>>(b, 0), labels = in<std::int32_t>(b, 1), valid = in<std::int32_t>(b, 2),
            correct = out<std::int32_t>(b)] {
      *correct =
          static_cast<std::int32_t>(count == 1 ? kernels::correct_count(*valid, C, logits, labels)
                                               : kernels::top_k_count(*valid, C, count, logits, labels));
    };
  });
}

/// The rows of this file, of activations.
template <class K>
LoweringTable activation_lowerings() {
  return {
      {"add", lower_add<K>},
      {"bias_add", lower_bias_add<K>},
      {"bias_gradient", lower_bias_gradient<K>},
      {"bias_relu", lower_bias_relu<K>},
      {"bias_relu_gradient", lower_bias_relu_gradient<K>},
      {"drop_path", lower_drop_path<K>},
      {"dropout", lower_dropout<K>},
      {"max_pool", lower_max_pool<K>},
      {"max_pool_gradient", lower_max_pool_gradient<K>},
      {"relu", lower_relu<K>},
      {"relu_gradient", lower_relu_gradient<K>},
  };
}

/// The rows of this file, of what follows the logits.
template <class K>
LoweringTable loss_lowerings() {
  return {
      {"correct_count", lower_correct_count<K>},
      {"softmax", lower_softmax<K>},
      {"softmax_gradient", lower_softmax_gradient<K>},
      {"softmax_cross_entropy", lower_softmax_cross_entropy<K>},
      {"softmax_cross_entropy_gradient", lower_softmax_cross_entropy_gradient<K>},
  };
}

}  // namespace fastnn::host
