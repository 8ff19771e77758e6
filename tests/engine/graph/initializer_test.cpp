#include "engine/graph/initializer.h"

#include <algorithm>
#include <cmath>

#include "tests/support/catch.h"

using namespace fastnn;

namespace {

struct Moments {
  double mean = 0;
  double stddev = 0;
  double largest = 0;
};

Moments moments_of(const Initializer& initializer, const Shape& shape) {
  const Tensor tensor = initial_values(initializer, shape, "w", 7);
  Moments moments;
  const auto values = tensor.values<float>();
  const auto count = static_cast<double>(values.size());
  for (const float value : values) moments.mean += value / count;
  for (const float value : values) moments.stddev += std::pow(value - moments.mean, 2) / count;
  moments.stddev = std::sqrt(moments.stddev);
  for (const float value : values) moments.largest = std::max<double>(moments.largest, std::abs(value));
  return moments;
}

/// Standard deviation of a standard normal cut at two.
constexpr double kTruncated = 0.87962566103423978;
/// Four standard errors of 92,160 values.
constexpr double kError = 4 / 303.6;
const Shape kWeights{3, 3, 64, 160};

}  // namespace

TEST_CASE("initializer: a truncated normal has its moments and ends at two sigma") {
  const Moments moments = moments_of(TruncatedNormalInitializer{0.0, 0.1}, kWeights);
  CHECK(std::abs(moments.mean) <= 0.1 * kError);
  CHECK(moments.stddev == Approx(0.1 * kTruncated).epsilon(kError));
  CHECK(moments.largest <= 0.2);
  CHECK(moments.largest >= 0.199);
}

TEST_CASE("initializer: xavier is uniform up to sqrt(6 / (fan_in + fan_out))") {
  const double limit = std::sqrt(6.0 / (9 * 64 + 9 * 160));
  const Moments moments = moments_of(XavierUniformInitializer{}, kWeights);
  CHECK(std::abs(moments.mean) <= limit * kError);
  CHECK(moments.stddev == Approx(limit / std::sqrt(3.0)).epsilon(kError));
  CHECK(moments.largest <= limit);
  CHECK(moments.largest >= 0.999 * limit);
}

TEST_CASE("initializer: variance scaling takes the fan it is told") {
  using Fan = VarianceScalingInitializer::Fan;
  const double in = std::sqrt(1.3 * 2.0 / (9 * 64));
  const double out = std::sqrt(1.3 * 2.0 / (9 * 160));
  CHECK(moments_of(VarianceScalingInitializer{2.0, Fan::in}, kWeights).stddev ==
        Approx(in * kTruncated).epsilon(kError));
  CHECK(moments_of(VarianceScalingInitializer{2.0, Fan::out}, kWeights).stddev ==
        Approx(out * kTruncated).epsilon(kError));
  CHECK(moments_of(VarianceScalingInitializer{2.0, Fan::in}, kWeights).largest <= 2 * in);
}

TEST_CASE("initializer: values depend on name and seed alone") {
  const auto values = [](std::string_view name, std::uint64_t seed) {
    const Tensor tensor = initial_values(XavierUniformInitializer{}, {4, 5}, name, seed);
    return std::vector<float>(tensor.values<float>().begin(), tensor.values<float>().end());
  };
  CHECK(values("a", 1) == values("a", 1));
  CHECK(values("a", 1) != values("b", 1));
  CHECK(values("a", 1) != values("a", 2));
}
