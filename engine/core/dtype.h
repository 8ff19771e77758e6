#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/base/error.h"
#include "kernels/bfloat16.h"

namespace fastnn {

/// Types of tensor elements.
enum class Dtype { f32, f64, s32, s64, u8, bf16 };

/// Bytes of one element.
std::size_t size_of(Dtype dtype);

/// "f32", "f64", "s32", "s64", "u8", "bf16".
std::string_view name_of(Dtype dtype);

template <class T>
inline constexpr Dtype kDtypeOf = [] {
  static_assert(sizeof(T) == 0, "no Dtype for this type");
  return Dtype::f32;
}();
template <>
inline constexpr Dtype kDtypeOf<float> = Dtype::f32;
template <>
inline constexpr Dtype kDtypeOf<double> = Dtype::f64;
template <>
inline constexpr Dtype kDtypeOf<std::int32_t> = Dtype::s32;
template <>
inline constexpr Dtype kDtypeOf<std::int64_t> = Dtype::s64;
template <>
inline constexpr Dtype kDtypeOf<std::uint8_t> = Dtype::u8;
template <>
inline constexpr Dtype kDtypeOf<kernels::Bfloat16> = Dtype::bf16;

/// Calls f<T>() with the C++ type of a dtype: the one switch over dtypes of the project.
template <class F>
decltype(auto) with_type(Dtype dtype, F&& f) {
  switch (dtype) {
    case Dtype::f32:
      return f.template operator()<float>();
    case Dtype::f64:
      return f.template operator()<double>();
    case Dtype::s32:
      return f.template operator()<std::int32_t>();
    case Dtype::s64:
      return f.template operator()<std::int64_t>();
    case Dtype::u8:
      return f.template operator()<std::uint8_t>();
    case Dtype::bf16:
      return f.template operator()<kernels::Bfloat16>();
  }
  throw UsageError("[dtype] unknown dtype {}", static_cast<int>(dtype));
}

}  // namespace fastnn
