#include "engine/graph/initializer.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "engine/core/hash.h"
#include "kernels/philox.h"

namespace fastnn {
namespace {

/// Endless standard normal numbers by Box and Muller, from one Philox stream.
class NormalStream {
 public:
  NormalStream(std::uint64_t seed, std::string_view name) : key_(kernels::mix64(seed ^ fnv1a64(name))) {}

  double next() {
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

void fill(const ConstantInitializer& constant, std::span<float> values, std::string_view, std::uint64_t) {
  std::ranges::fill(values, static_cast<float>(constant.value));
}

void fill(const TruncatedNormalInitializer& normal, std::span<float> values, std::string_view name,
          std::uint64_t seed) {
  NormalStream stream(seed, name);
  for (float& value : values) {
    double z = stream.next();
    while (std::abs(z) > 2.0) z = stream.next();
    value = static_cast<float>(normal.mean + normal.stddev * z);
  }
}

std::string text(const ConstantInitializer& constant) {
  if (constant.value == 0) return "zeros";
  if (constant.value == 1) return "ones";
  return fmt::format("constant:{}", constant.value);
}

std::string text(const TruncatedNormalInitializer& normal) {
  return fmt::format("trunc_normal:{:.1f}:{}", normal.mean, normal.stddev);
}

}  // namespace

Tensor initial_values(const Initializer& initializer, const Shape& shape, std::string_view name,
                      std::uint64_t seed) {
  Tensor tensor(Dtype::f32, shape);
  std::visit([&](const auto& kind) { fill(kind, tensor.values<float>(), name, seed); }, initializer);
  return tensor;
}

std::string text_of(const Initializer& initializer) {
  return std::visit([](const auto& kind) { return text(kind); }, initializer);
}

}  // namespace fastnn
