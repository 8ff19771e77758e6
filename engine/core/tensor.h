#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/core/dtype.h"
#include "engine/core/shape.h"

namespace fastnn {

/// A dense, row-major tensor in host memory that owns its bytes: what checkpoints, golden files and tests
/// exchange with the engine. Not used inside a step.
class Tensor {
 public:
  Tensor() = default;
  /// All zeros.
  Tensor(Dtype dtype, Shape shape);

  template <class T>
  static Tensor of(Shape shape, std::span<const T> values) {
    Tensor tensor(kDtypeOf<T>, shape);
    if (values.size() != tensor.values<T>().size())
      throw UsageError("[tensor] {} values for shape {}", values.size(), shape.text());
    std::copy(values.begin(), values.end(), tensor.values<T>().begin());
    return tensor;
  }

  Dtype dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  std::int64_t elements() const { return shape_.elements(); }
  std::span<std::byte> bytes() { return bytes_; }
  std::span<const std::byte> bytes() const { return bytes_; }

  /// The elements; throws UsageError if T is not the tensor's type.
  template <class T>
  std::span<T> values() {
    require(kDtypeOf<T>);
    return {reinterpret_cast<T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }
  template <class T>
  std::span<const T> values() const {
    require(kDtypeOf<T>);
    return {reinterpret_cast<const T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }

  /// The same elements converted to another type, by static_cast.
  Tensor as(Dtype dtype) const;

 private:
  void require(Dtype dtype) const;

  Dtype dtype_ = Dtype::f32;
  Shape shape_;
  std::vector<std::byte> bytes_;
};

}  // namespace fastnn
