#include "kernels/cpu/drop_path.h"

#include <cmath>

#include "kernels/reference/drop_path.h"
#include "tests/kernels/compare.h"
#include "tests/support/catch.h"

using namespace fastnn::kernels;
using namespace fastnn::tests;

namespace {

DropPath path_of(std::int64_t N, std::int64_t E, std::uint64_t step) {
  return {.N = N,
          .E = E,
          .final_keep_prob = 0.6,
          .steps = 1000,
          .random = {.seed = 7, .step = step, .first_sample = 5},
          .operation = 99};
}

}  // namespace

TEST_CASE("cpu drop-path: equals the reference, in place too, and does not depend on how a batch is split") {
  for (const std::int64_t E : {1, 17, 3136, 100'003}) {
    INFO(E << " elements");
    DropPath path = path_of(5, E, 900);
    const Doubles x = golden_values("drop_path", path.N * E);
    Doubles y(x.size());
    const Floats fx = to_float(x);
    Floats fy = fx, half(x.size());
    reference::drop_path(path, x.data(), y.data());
    cpu::drop_path(path, fy.data(), fy.data());
    CHECK(largest_error(fy, y) < 1e-6);
    path.N = 2;
    path.random.first_sample += 3;
    cpu::drop_path(path, fx.data() + 3 * E, half.data());
    CHECK(std::equal(half.begin(), half.begin() + 2 * E, fy.begin() + 3 * E));
  }
}

TEST_CASE("cpu drop-path: a dropped sample is zero even where it is not finite") {
  DropPath path = path_of(64, 1, 1000);
  Floats y(64, INFINITY);
  cpu::drop_path(path, y.data(), y.data());
  for (std::int64_t n = 0; n < path.N; ++n)
    CHECK(y[static_cast<std::size_t>(n)] == (drop_path_scale(path, n) > 0 ? INFINITY : 0));
}

TEST_CASE("drop-path: the keep probability falls from 1 to its final value, and that share is kept") {
  CHECK(drop_path_keep(path_of(1, 1, 0)) == 1.0);
  CHECK(drop_path_keep(path_of(1, 1, 500)) == Approx(0.8));
  CHECK(drop_path_keep(path_of(1, 1, 1000)) == Approx(0.6));
  CHECK(drop_path_keep(path_of(1, 1, 5000)) == Approx(0.6));
  const std::int64_t samples = 10'000;
  for (const std::uint64_t step : {0, 500, 5000}) {
    const DropPath path = path_of(samples, 1, step);
    const double keep = drop_path_keep(path);
    std::int64_t kept = 0;
    for (std::int64_t n = 0; n < samples; ++n) {
      const double scale = drop_path_scale(path, n);
      if (scale == 0) continue;
      CHECK(scale == Approx(1 / keep));
      ++kept;
    }
    // Five standard deviations of a binomial with 10000 draws are at most 250.
    CHECK(std::abs(static_cast<double>(kept) - keep * samples) <= 250 * (keep < 1));
  }
}

TEST_CASE("drop-path: other steps, operations and samples drop others") {
  const auto kept = [](const DropPath& path) {
    std::vector<bool> samples;
    for (std::int64_t n = 0; n < path.N; ++n) samples.push_back(drop_path_scale(path, n) > 0);
    return samples;
  };
  const DropPath path = path_of(256, 1, 2000);
  DropPath other = path;
  other.random.step = 2001;
  CHECK(kept(other) != kept(path));
  other = path;
  other.operation = 100;
  CHECK(kept(other) != kept(path));
  other = path;
  other.random.first_sample = 261;
  CHECK(kept(other) != kept(path));
}
