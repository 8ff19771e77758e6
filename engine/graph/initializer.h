#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "engine/core/shape.h"
#include "engine/core/tensor.h"

namespace fastnn {

/// How a variable gets its first values, named as TF-Slim names it.
struct ConstantInitializer {
  double value = 0;
};
/// Normal(mean, stddev), values beyond two stddev drawn again. stddev is the one before truncation.
struct TruncatedNormalInitializer {
  double mean = 0;
  double stddev = 1;
};
/// Uniform in +-sqrt(6 / (fan_in + fan_out)). Fans of a weight [R,S,C,K] or [C,K]: R * S * C and R * S * K.
struct XavierUniformInitializer {};
/// slim.variance_scaling_initializer: truncated normal with stddev sqrt(1.3 * factor / fan).
struct VarianceScalingInitializer {
  enum class Fan { in, out };

  double factor = 2.0;
  Fan fan = Fan::in;
};
using Initializer = std::variant<ConstantInitializer, TruncatedNormalInitializer, XavierUniformInitializer,
                                 VarianceScalingInitializer>;

/// First values of a variable in float32, a pure function of seed, name and shape: the same on every device.
Tensor initial_values(const Initializer& initializer, const Shape& shape, std::string_view name,
                      std::uint64_t seed);

/// "zeros", "trunc_normal:0.0:0.1": as golden/slim-variables.tsv spells it.
std::string text_of(const Initializer& initializer);

}  // namespace fastnn
