#include "data/pipeline/order.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "engine/base/error.h"
#include "tests/support/catch.h"

using namespace fastnn;

namespace {

std::vector<std::uint32_t> counted(std::size_t count) {
  std::vector<std::uint32_t> values(count);
  std::iota(values.begin(), values.end(), 0U);
  return values;
}

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> values) {
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

TEST_CASE("order: every epoch holds each record exactly once") {
  const std::vector<std::int64_t> files{1, 10, 0, 100};
  for (const int buffer : {0, 1, 2, 7, 64, 111, 5000})
    for (const std::int64_t epoch : {0, 1, 2, 1000})
      CHECK(sorted(epoch_order(files, {.seed = 3, .shuffle_buffer_size = buffer}, epoch)) == counted(111));
}

TEST_CASE("order: without shuffling the records come in the order of the files") {
  const std::vector<std::int64_t> files{3, 4};
  CHECK(epoch_order(files, {.shuffle_buffer_size = 0, .files = FileOrder::given}, 5) == counted(7));
}

TEST_CASE("order: it is a function of seed and epoch, and differs between them") {
  const std::vector<std::int64_t> files{200};
  const OrderOptions options{.seed = 9, .shuffle_buffer_size = 50};
  CHECK(epoch_order(files, options, 4) == epoch_order(files, options, 4));
  CHECK(epoch_order(files, options, 4) != epoch_order(files, options, 5));
  CHECK(epoch_order(files, options, 4) != epoch_order(files, {.seed = 10, .shuffle_buffer_size = 50}, 4));
}

TEST_CASE("order: the known order of a seed does not change between versions") {
  const std::vector<std::int64_t> files{4, 4};
  CHECK(epoch_order(files, {.seed = 1, .shuffle_buffer_size = 4}, 0) ==
        std::vector<std::uint32_t>{0, 3, 2, 1, 6, 7, 4, 5});
}

TEST_CASE("order: a record leaves the buffer at most buffer - 1 places early") {
  const std::vector<std::int64_t> files{500};
  const auto order = epoch_order(files, {.seed = 2, .shuffle_buffer_size = 20}, 0);
  CHECK(order != counted(500));
  for (std::size_t place = 0; place < order.size(); ++place) CHECK(order[place] < place + 20);
}

TEST_CASE("order: the files are read in a new order in each epoch") {
  const std::vector<std::int64_t> files(12, 2);
  std::set<std::uint32_t> first_files;
  for (int epoch = 0; epoch < 100; ++epoch) {
    const auto order = epoch_order(files, {.seed = 1, .shuffle_buffer_size = 1}, epoch);
    first_files.insert(order[0] / 2);
    for (std::size_t i = 0; i < order.size(); i += 2) CHECK(order[i] + 1 == order[i + 1]);
  }
  CHECK(first_files.size() == 12);
}

TEST_CASE("order: a full buffer puts each record anywhere with equal chance") {
  const std::vector<std::int64_t> files{5};
  int counts[5][5] = {};
  constexpr int kEpochs = 5000;
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    const auto order = epoch_order(files, {.seed = 77, .shuffle_buffer_size = 5}, epoch);
    for (std::size_t place = 0; place < 5; ++place) ++counts[place][order[place]];
  }
  // Mean 1000, standard deviation sqrt(5000 * 0.2 * 0.8) = 28; the seed is fixed, five deviations are wide.
  for (const auto& place : counts)
    for (const int count : place) CHECK(std::abs(count - kEpochs / 5) < 142);
}

TEST_CASE("order: positions run through the epochs, in any order of asking") {
  const std::vector<std::int64_t> files{3, 8};
  const OrderOptions options{.seed = 5, .shuffle_buffer_size = 6};
  const SampleOrder order(files, options);
  REQUIRE(order.size() == 11);
  for (const std::int64_t position : {0, 40, 11, 10, 21, 5, 1100000007, 22, 0})
    CHECK(order.record(position) ==
          epoch_order(files, options, position / 11)[static_cast<std::size_t>(position % 11)]);
}

TEST_CASE("order: no records, and more than 32 bits of them, are refused") {
  CHECK_THROWS_AS(SampleOrder({0, 0}, {}), UsageError);
  const std::vector<std::int64_t> files{std::int64_t{1} << 31, std::int64_t{1} << 31};
  CHECK_THROWS_AS(epoch_order(files, {}, 0), UsageError);
}
