#include "data/convert/parallel.h"

#include <atomic>
#include <stdexcept>
#include <vector>

#include "tests/support/catch.h"

using namespace fastnn;

TEST_CASE("parallel_for: each index is worked on once, whatever the number of threads") {
  const int threads = GENERATE(0, 1, 3, 100);
  std::vector<std::atomic<int>> seen(50);
  parallel_for(50, threads, [&](std::int64_t i) { ++seen[std::size_t(i)]; });
  for (const auto& count : seen) CHECK(count == 1);
  parallel_for(0, threads, [&](std::int64_t) { FAIL("no work"); });
}

TEST_CASE("parallel_for: the first error is thrown and no further work starts") {
  std::atomic<int> calls = 0;
  CHECK_THROWS_WITH(parallel_for(1000, 1,
                                 [&](std::int64_t) {
                                   ++calls;
                                   throw std::runtime_error("stop");
                                 }),
                    "stop");
  CHECK(calls == 1);
}
