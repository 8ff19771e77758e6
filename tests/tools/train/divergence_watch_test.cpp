#include "tools/train/divergence_watch.h"

#include <cmath>
#include <limits>

#include "tests/support/catch.h"

using fastnn::tools::DivergenceWatch;

namespace {

/// Warnings of so many logged steps with this cross-entropy.
int warnings_of(DivergenceWatch& watch, int steps, double cross_entropy) {
  int warnings = 0;
  for (int i = 0; i < steps; ++i) warnings += watch.add(cross_entropy).empty() ? 0 : 1;
  return warnings;
}

const double kLimit = 100 * std::log(10.0);

}  // namespace

TEST_CASE("divergence_watch: warns once, in the 20th logged step above 100 ln of the classes") {
  DivergenceWatch watch(10);
  CHECK(warnings_of(watch, 19, 5e37) == 0);
  CHECK(watch.add(5e37).find("above 230.3") != std::string::npos);
  CHECK(warnings_of(watch, 100, 5e37) == 0);
}

TEST_CASE("divergence_watch: a step below the limit starts the count again") {
  DivergenceWatch watch(10);
  CHECK(warnings_of(watch, 19, 1.01 * kLimit) == 0);
  CHECK(warnings_of(watch, 1, 0.99 * kLimit) == 0);
  CHECK(warnings_of(watch, 19, 1.01 * kLimit) == 0);
  CHECK(warnings_of(watch, 1, 1.01 * kLimit) == 1);
}

TEST_CASE("divergence_watch: a loss of guessing, infinity and one class alone") {
  DivergenceWatch guessing(10);
  CHECK(warnings_of(guessing, 50, std::log(10.0)) == 0);
  DivergenceWatch infinite(10);
  CHECK(warnings_of(infinite, 20, std::numeric_limits<double>::infinity()) == 1);
  DivergenceWatch one_class(1);
  CHECK(warnings_of(one_class, 50, 0) == 0);
}
