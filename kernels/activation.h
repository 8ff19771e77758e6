#pragma once

#include <string_view>

namespace fastnn::kernels {

/// relu: max(z, 0). relu6: min(max(z, 0), 6). A NaN stays one.
enum class Activation { none, relu, relu6 };

/// "", "relu", "relu6".
constexpr std::string_view name_of(Activation activation) {
  constexpr std::string_view kNames[] = {"", "relu", "relu6"};
  return kNames[static_cast<int>(activation)];
}

template <class E>
constexpr E activated(Activation activation, E z) {
  if (activation == Activation::none) return z;
  const E above = z < 0 ? E(0) : z;
  return activation == Activation::relu6 && above > 6 ? E(6) : above;
}

/// The gradient behind an activation that gave y, or was given y: dy where 0 < y, and y < 6 for relu6, else
/// 0; so 0 at exactly 0 and 6, as in TensorFlow.
template <class E>
constexpr E masked(Activation activation, E y, E dy) {
  if (activation == Activation::none) return dy;
  const E above = y > 0 ? dy : E(0);
  return activation == Activation::relu6 && !(y < 6) ? E(0) : above;
}

}  // namespace fastnn::kernels
