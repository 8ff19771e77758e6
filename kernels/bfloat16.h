#pragma once

#include <bit>
#include <cstdint>

namespace fastnn::kernels {

/// The upper half of a float: its range, 8 significant bits. Reads as a float; a float becomes one only where
/// that is said, rounded to nearest, ties to even; a NaN stays one, beyond the largest is infinity.
struct Bfloat16 {
  constexpr Bfloat16() = default;
  explicit constexpr Bfloat16(float value) : bits(rounded(std::bit_cast<std::uint32_t>(value))) {}

  constexpr operator float() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

  /// Half the distance of neighbours, relative: the largest error of one rounding.
  static constexpr double kRounding = 1.0 / 256;

  std::uint16_t bits = 0;

 private:
  static constexpr std::uint16_t rounded(std::uint32_t word) {
    const bool is_nan = (word & 0x7FFFFFFFU) > 0x7F800000U;
    // The quiet bit keeps a NaN whose other bits are all in the lower half.
    const std::uint32_t nearest = is_nan ? word | 0x00400000U : word + 0x7FFFU + (word >> 16 & 1U);
    return static_cast<std::uint16_t>(nearest >> 16);
  }
};

static_assert(sizeof(Bfloat16) == 2);

}  // namespace fastnn::kernels
