#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/golden.h"

namespace fastnn::tests {

using Doubles = std::vector<double>;
using Floats = std::vector<float>;

inline Floats to_float(const Doubles& values) {
  return {values.begin(), values.end()};
}

/// Largest difference, relative to the largest expected value; infinite if the sizes differ or for NaN.
template <class A, class B>
double largest_error(const std::vector<A>& actual, const std::vector<B>& expected) {
  if (actual.size() != expected.size()) return INFINITY;
  double error = 0, largest = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double difference = std::abs(static_cast<double>(actual[i]) - static_cast<double>(expected[i]));
    error = std::max(error, std::isnan(difference) ? INFINITY : difference);
    largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
  }
  return largest > 0 ? error / largest : error;
}

/// Float kernels against double ones: 1e-5 of the largest value, the bound of the golden pages.
inline constexpr double kFloatTolerance = 1e-5;

}  // namespace fastnn::tests
