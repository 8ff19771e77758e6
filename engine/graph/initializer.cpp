#include "engine/graph/initializer.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "engine/base/hash.h"
#include "kernels/philox.h"

namespace fastnn {
namespace {

/// What a variable's first values are drawn for.
struct Draw {
  const Shape& shape;
  std::string_view name;
  std::uint64_t seed;
};

/// Endless random numbers from one Philox stream.
class RandomStream {
 public:
  explicit RandomStream(const Draw& draw) : key_(kernels::mix64(draw.seed ^ fnv1a64(draw.name))) {}

  /// In [0, 1).
  double uniform() {
    const auto words = kernels::philox({counter_++, 0, 0, 0}, key_);
    return unit(words[0], words[1]);
  }

  /// Standard normal, by Box and Muller.
  double normal() {
    const auto words = kernels::philox({counter_++, 0, 0, 0}, key_);
    const double radius = std::sqrt(-2.0 * std::log1p(-unit(words[0], words[1])));
    return radius * std::cos(2.0 * std::numbers::pi * unit(words[2], words[3]));
  }

 private:
  static double unit(std::uint32_t high, std::uint32_t low) {
    return static_cast<double>((std::uint64_t{high} << 32 | low) >> 11) * 0x1p-53;
  }

  std::uint64_t key_;
  std::uint32_t counter_ = 0;
};

struct Fans {
  double in;
  double out;
};

Fans fans_of(const Shape& shape) {
  const auto rank = static_cast<int>(shape.extents().size());
  if (rank < 2) return {static_cast<double>(shape.elements()), static_cast<double>(shape.elements())};
  const auto elements = static_cast<double>(shape.elements());
  return {elements / static_cast<double>(shape[-1]), elements / static_cast<double>(shape[rank - 2])};
}

void fill(const ConstantInitializer& constant, std::span<float> values, const Draw&) {
  std::ranges::fill(values, static_cast<float>(constant.value));
}

void fill(const TruncatedNormalInitializer& normal, std::span<float> values, const Draw& draw) {
  RandomStream stream(draw);
  for (float& value : values) {
    double z = stream.normal();
    while (std::abs(z) > 2.0) z = stream.normal();
    value = static_cast<float>(normal.mean + normal.stddev * z);
  }
}

void fill(const XavierUniformInitializer&, std::span<float> values, const Draw& draw) {
  const Fans fans = fans_of(draw.shape);
  const double limit = std::sqrt(6.0 / (fans.in + fans.out));
  RandomStream stream(draw);
  for (float& value : values) value = static_cast<float>(limit * (2.0 * stream.uniform() - 1.0));
}

void fill(const VarianceScalingInitializer& scaling, std::span<float> values, const Draw& draw) {
  const Fans fans = fans_of(draw.shape);
  const double fan = scaling.fan == VarianceScalingInitializer::Fan::in ? fans.in : fans.out;
  fill(TruncatedNormalInitializer{0.0, std::sqrt(1.3 * scaling.factor / fan)}, values, draw);
}

/// The shortest digits, with ".0" behind whole numbers.
std::string decimal(double value) {
  const std::string digits = fmt::format("{}", value);
  return digits.find('.') == std::string::npos ? digits + ".0" : digits;
}

std::string text(const ConstantInitializer& constant) {
  if (constant.value == 0) return "zeros";
  if (constant.value == 1) return "ones";
  return fmt::format("const:{}", constant.value);
}

std::string text(const TruncatedNormalInitializer& normal) {
  return fmt::format("trunc_normal:{}:{}", decimal(normal.mean), decimal(normal.stddev));
}

std::string text(const XavierUniformInitializer&) {
  return "xavier_uniform";
}

std::string text(const VarianceScalingInitializer& scaling) {
  return fmt::format("variance_scaling:{:.1f}:{}:False", scaling.factor,
                     scaling.fan == VarianceScalingInitializer::Fan::in ? "FAN_IN" : "FAN_OUT");
}

}  // namespace

Tensor initial_values(const Initializer& initializer, const Shape& shape, std::string_view name,
                      std::uint64_t seed) {
  Tensor tensor(Dtype::f32, shape);
  std::visit(
      [&](const auto& kind) {
        fill(kind, tensor.values<float>(), Draw{shape, name, seed});
      },
      initializer);
  return tensor;
}

std::string text_of(const Initializer& initializer) {
  return std::visit([](const auto& kind) { return text(kind); }, initializer);
}

}  // namespace fastnn
