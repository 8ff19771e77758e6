#include "engine/core/tensor.h"

#include <algorithm>

namespace fastnn {

Tensor::Tensor(Dtype dtype, Shape shape)
    : dtype_(dtype), shape_(shape), bytes_(static_cast<std::size_t>(shape.elements()) * size_of(dtype)) {}

void Tensor::require(Dtype dtype) const {
  if (dtype != dtype_)
    throw UsageError("[tensor] elements are {}, asked for {}", name_of(dtype_), name_of(dtype));
}

Tensor Tensor::as(Dtype dtype) const {
  Tensor result(dtype, shape_);
  with_type(dtype_, [&]<class From>() {
    with_type(dtype, [&]<class To>() {
      std::ranges::transform(values<From>(), result.values<To>().begin(),
                             [](From value) { return static_cast<To>(value); });
    });
  });
  return result;
}

}  // namespace fastnn
