#include "kernels/float16.h"

#include <immintrin.h>

#include <cmath>
#include <limits>

#include "tests/support/catch.h"

using fastnn::kernels::Float16;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Rounding {
  float value;
  float expected;
};

const Rounding kRoundings[] = {
    {1.0F, 1.0F},
    {-0.0F, -0.0F},
    {0x1.002p0F, 0x1.000p0F},     // a tie goes to the even neighbour
    {0x1.006p0F, 0x1.008p0F},     // the other way
    {0x1.002002p0F, 0x1.004p0F},  // just above a tie
    {0x1.001FFEp0F, 0x1.000p0F},  // just below
    {65504.0F, 65504.0F},
    {65519.99F, 65504.0F},
    {65520.0F, kInfinity},
    {-1e9F, -kInfinity},
    {-kInfinity, -kInfinity},
    {0x1p-14F, 0x1p-14F},
    {0x1p-24F, 0x1p-24F},  // the smallest
    {0x1p-25F, 0.0F},      // a tie with zero
    {0x1.000002p-25F, 0x1p-24F},
    {0x1p-149F, 0.0F},
};

}  // namespace

TEST_CASE("float16: rounds to nearest, ties to even") {
  for (const auto& [value, expected] : kRoundings) {
    INFO(value);
    CHECK(float(Float16(value)) == expected);
    CHECK(std::signbit(float(Float16(value))) == std::signbit(expected));
  }
}

TEST_CASE("float16: every one of the 65536 survives the way to float and back") {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    Float16 half;
    half.bits = static_cast<std::uint16_t>(bits);
    if (std::isnan(float(half)))
      REQUIRE(std::isnan(float(Float16(float(half)))));
    else
      REQUIRE(Float16(float(half)).bits == half.bits);
  }
}

TEST_CASE("float16: converts as the processor does, both ways") {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    Float16 half;
    half.bits = static_cast<std::uint16_t>(bits);
    const float value = _cvtsh_ss(half.bits);
    if (!std::isnan(value)) REQUIRE(float(half) == value);
  }
  for (std::uint64_t word = 0; word < std::uint64_t{1} << 32; word += 9973) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(word));
    if (!std::isnan(value)) REQUIRE(Float16(value).bits == _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT));
  }
}

TEST_CASE("float16: a NaN stays a NaN, wherever its bits stand") {
  for (const std::uint32_t word : {0x7F800001U, 0xFF800001U, 0x7FC00000U, 0x7FFFFFFFU})
    CHECK(std::isnan(float(Float16(std::bit_cast<float>(word)))));
}
