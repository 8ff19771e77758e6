#include "kernels/bfloat16.h"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/cpu/elementwise.h"
#include "tests/support/catch.h"

using namespace fastnn::kernels;

namespace {

struct Rounding {
  float value;
  float expected;
};

constexpr float kLargest = 0x1.FEp127F;
const Rounding kRoundings[] = {
    {1.0F, 1.0F},
    {-0.0F, -0.0F},
    {0x1.01p0F, 0x1.00p0F},      // a tie goes to the even neighbour
    {0x1.03p0F, 0x1.04p0F},      // the other way
    {0x1.010002p0F, 0x1.02p0F},  // just above a tie
    {0x1.00FFFEp0F, 0x1.00p0F},  // just below
    {-0x1.03p0F, -0x1.04p0F},
    {kLargest, kLargest},
    {0x1.FFp127F, std::numeric_limits<float>::infinity()},
    {-std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()},
    {0x1p-149F, 0.0F},  // the smallest float is a tenth of a thousandth of the smallest Bfloat16
    {0x1p-133F, 0x1p-133F},
};

}  // namespace

TEST_CASE("bfloat16: rounds to nearest, ties to even") {
  for (const auto& [value, expected] : kRoundings) {
    INFO(value);
    CHECK(float(Bfloat16(value)) == expected);
    CHECK(std::signbit(float(Bfloat16(value))) == std::signbit(expected));
  }
}

TEST_CASE("bfloat16: every NaN stays one") {
  for (const std::uint32_t word : {0x7FC00000U, 0x7F800001U, 0x7FFFFFFFU, 0xFF800001U, 0xFFFFFFFFU})
    CHECK(std::isnan(float(Bfloat16(std::bit_cast<float>(word)))));
}

TEST_CASE("bfloat16: every value comes back from float as it was") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    Bfloat16 value;
    value.bits = static_cast<std::uint16_t>(bits);
    const Bfloat16 again(static_cast<float>(value));
    if (!std::isnan(float(value))) REQUIRE(again.bits == value.bits);
  }
}

TEST_CASE("bfloat16: the cast of an array rounds as a single value does") {
  std::vector<float> x;
  for (const auto& [value, expected] : kRoundings) x.push_back(value);
  for (int i = 0; i < 1000; ++i) x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(i) * 4294967U));
  std::vector<Bfloat16> narrow(x.size());
  cpu::cast(static_cast<std::int64_t>(x.size()), x.data(), narrow.data());
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(narrow[i].bits == Bfloat16(x[i]).bits);
}
