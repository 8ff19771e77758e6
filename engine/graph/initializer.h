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
using Initializer = std::variant<ConstantInitializer, TruncatedNormalInitializer>;

/// First values of a variable in float32, a pure function of seed, name and shape: the same on every device.
Tensor initial_values(const Initializer& initializer, const Shape& shape, std::string_view name,
                      std::uint64_t seed);

/// "zeros", "trunc_normal:0.0:0.1": as golden/slim-variables.tsv spells it.
std::string text_of(const Initializer& initializer);

}  // namespace fastnn
