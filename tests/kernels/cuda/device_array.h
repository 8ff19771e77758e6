#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>

#include "kernels/bfloat16.h"
#include "kernels/float16.h"
#include "tests/kernels/compare.h"

namespace fastnn::tests {

/// Memory as a kernel meets it on a card: begins on 16 bytes, holds NaN at first, and, under
/// AddressSanitizer, ends exactly behind its last element.
template <class A>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count)
      : memory_(std::malloc(count * sizeof(A)), std::free), count_(count) {
    std::memset(memory_.get(), 0xFF, count * sizeof(A));
  }
  explicit DeviceArray(const Doubles& values) : DeviceArray(values.size()) {
    for (std::size_t i = 0; i < count_; ++i) data()[i] = static_cast<A>(static_cast<float>(values[i]));
  }

  A* data() { return static_cast<A*>(memory_.get()); }
  Doubles values() const {
    const A* from = static_cast<const A*>(memory_.get());
    Doubles result;
    for (std::size_t i = 0; i < count_; ++i) result.push_back(static_cast<double>(from[i]));
    return result;
  }

 private:
  std::unique_ptr<void, void (*)(void*)> memory_;
  std::size_t count_;
};

/// The values as the type holds them.
template <class A>
Doubles rounded(const Doubles& values) {
  return DeviceArray<A>(values).values();
}

/// golden_values() that are exact in the type.
template <class A>
Doubles exact_values(const std::string& name, std::int64_t count, double scale = 1, double offset = 0) {
  Doubles values = golden_values(name, count);
  for (double& value : values) value = offset + scale * value;
  return rounded<A>(values);
}

/// Largest relative error of rounding to the type once.
template <class A>
inline constexpr double kRoundingOf = A::kRounding;
template <>
inline constexpr double kRoundingOf<float> = 0;

/// Bound of |difference| to the reference, as a share of the largest value: computed in float from exact
/// operands, then rounded once.
template <class A>
inline constexpr double kBound = kFloatTolerance + kRoundingOf<A>;

/// Calls f.operator()<A>() for each type of activations.
template <class F>
void for_each_type(F&& f) {
  f.template operator()<float>();
  f.template operator()<kernels::Float16>();
  f.template operator()<kernels::Bfloat16>();
}

template <class A>
constexpr const char* name_of_type() {
  return sizeof(A) == sizeof(float) ? "float" : std::is_same_v<A, kernels::Float16> ? "float16" : "bfloat16";
}

}  // namespace fastnn::tests
