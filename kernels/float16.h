#pragma once

#include <bit>
#include <cstdint>

namespace fastnn::kernels {

/// IEEE binary16: 11 significant bits, largest 65504, smallest normal 2^-14. Reads as a float; a float
/// becomes one only where that is said, rounded to nearest, ties to even; a NaN stays one, beyond the largest
/// is infinity. The bits of CUDA's __half.
struct Float16 {
  constexpr Float16() = default;
  explicit constexpr Float16(float value) : bits(rounded(std::bit_cast<std::uint32_t>(value))) {}

  constexpr operator float() const {
    const std::uint32_t sign = (bits & 0x8000U) << 16, magnitude = bits & 0x7FFFU;
    if (magnitude >= kInfinity) return std::bit_cast<float>(sign | 0x7F800000U | magnitude << 13);
    if (magnitude >= kSmallestNormal) return std::bit_cast<float>(sign | ((magnitude << 13) + kExponents));
    const float value = static_cast<float>(magnitude) * 0x1p-24F;
    return sign != 0 ? -value : value;
  }

  /// Half the distance of neighbours, relative, of normal numbers: the largest error of one rounding.
  static constexpr double kRounding = 1.0 / 2048;

  std::uint16_t bits = 0;

 private:
  static constexpr std::uint32_t kInfinity = 0x7C00, kSmallestNormal = 0x0400;
  /// Difference of the exponents' biases, 127 - 15, at its place in a float.
  static constexpr std::uint32_t kExponents = 112U << 23;

  static constexpr std::uint16_t rounded(std::uint32_t word) {
    const std::uint32_t sign = word >> 16 & 0x8000U, magnitude = word & 0x7FFFFFFFU;
    return static_cast<std::uint16_t>(sign | rounded_magnitude(magnitude));
  }

  static constexpr std::uint32_t rounded_magnitude(std::uint32_t magnitude) {
    if (magnitude > 0x7F800000U) return kInfinity | 0x0200U | (magnitude >> 13 & 0x03FFU);
    if (magnitude >= 0x47800000U) return kInfinity;
    // Adding a half rounds to multiples of 2^-24, the distance of the numbers below the smallest normal.
    if (magnitude < 0x38800000U)
      return std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3F000000U;
    return (magnitude + 0x0FFFU + (magnitude >> 13 & 1U) - kExponents) >> 13;
  }
};

static_assert(sizeof(Float16) == 2);

}  // namespace fastnn::kernels
