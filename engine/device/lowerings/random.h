#pragma once

#include "engine/device/lowerings/operands.h"
#include "engine/graph/ops/drop_path.h"
#include "engine/graph/ops/dropout.h"
#include "kernels/drop_path.h"
#include "kernels/dropout_mask.h"

/// Lowerings of what draws random numbers.
namespace fastnn::lowerings {

template <class K>
Lowering lower_dropout(const K& k, const LoweringRequest& request) {
  const auto& operation = request.operation<Dropout>();
  const Shape& x = request.input(0);
  const kernels::Dropout dropout{.N = x[0],
                                 .E = x.elements() / x[0],
                                 .keep_prob = static_cast<float>(operation.keep_probability()),
                                 .operation = operation.mask_key()};
  return plain(K::kName, [k, dropout](const Bindings& b) -> Launch {
    return [k, dropout, random = b.random, x = in<T<K>>(b, 0), y = out<T<K>>(b)] {
      k.dropout(dropout, random, x, y);
    };
  });
}

template <class K>
Lowering lower_drop_path(const K& k, const LoweringRequest& request) {
  const auto& operation = request.operation<DropPath>();
  const Shape& x = request.input(0);
  const kernels::DropPath path{.N = x[0],
                               .E = x.elements() / x[0],
                               .final_keep_prob = operation.drop_path().final_keep_probability,
                               .steps = static_cast<double>(operation.drop_path().steps),
                               .operation = operation.mask_key()};
  return plain(K::kName, [k, path](const Bindings& b) -> Launch {
    return [k, path, random = b.random, x = in<T<K>>(b, 0), y = out<T<K>>(b)] {
      k.drop_path(path, random, x, y);
    };
  });
}

/// The rows of this family.
template <class K>
LoweringTable random_lowerings(const K& k) {
  return rows_for<K>(k, {
                            {"drop_path", lower_drop_path<K>},
                            {"dropout", lower_dropout<K>},
                        });
}

}  // namespace fastnn::lowerings
