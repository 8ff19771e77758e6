#pragma once

#include <bit>
#include <cstdint>

namespace fastnn::kernels::cpu {

/// The lowest argument of exp_negative(), which gives 0 there: the exponent -127 is 0 as a float.
inline constexpr float kExpLowest = -88.0F;

/// e^x for kExpLowest <= x <= 0 with a relative error below 2e-7; 0 below -87.7, NaN for NaN. Without a
/// branch, so that a loop over it vectorises; callers clamp x in a loop of its own, as gcc turns a select in
/// this one into a jump.
/// Method: x = k ln 2 + r with k an integer and |r| <= ln 2 / 2 (ln 2 in two parts, so that k times the first
/// is exact), a polynomial of degree 7 for e^r (Cephes, expf), and k added to the exponent.
inline float exp_negative(float x) {
  constexpr float kLog2e = 1.44269504F, kLn2High = 0.693359375F, kLn2Low = -2.12194440e-4F;
  // Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits.
  constexpr float kRounder = 12582912.0F;
  const float shifted = x * kLog2e + kRounder;
  const float k = shifted - kRounder;
  const float r = (x - k * kLn2High) - k * kLn2Low;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1;
  const float power = std::bit_cast<float>((std::bit_cast<std::uint32_t>(shifted) << 23) + 0x3F800000U);
  return p * power;
}

}  // namespace fastnn::kernels::cpu
