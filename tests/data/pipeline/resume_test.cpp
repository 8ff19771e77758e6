#include "tests/data/pipeline/numbers.h"

using namespace fastnn;
using namespace fastnn::tests;

TEST_CASE("pipeline: ranks resumed anywhere, at borders of epochs too, go on with the same batches") {
  Input input({4, 7});
  for (const int ranks : {1, 2, 3})
    for (int rank = 0; rank < ranks; ++rank) {
      const PipelineOptions options{
          .batch_size = 2, .seed = 5, .shuffle_buffer_size = 6, .rank = rank, .ranks = ranks};
      const auto straight = input.batches(options, 18);
      // Global batches start at every multiple of 2 ranks; 11, 22 and 33 end epochs.
      for (int step = 0; step < 14; ++step) {
        PipelineOptions resumed = options;
        resumed.first_position = std::int64_t{step} * 2 * ranks;
        CHECK(input.batches(resumed, 4) ==
              std::vector<Copy>(straight.begin() + step, straight.begin() + step + 4));
      }
    }
}

TEST_CASE("pipeline: a resume at the first and the last sample of an epoch goes on like the straight run") {
  Input input({4, 7});
  for (const int ranks : {1, 2, 3}) {
    const PipelineOptions options{.batch_size = 1, .seed = 9, .rank = ranks - 1, .ranks = ranks};
    PipelineOptions whole = options;
    whole.batch_size = 1;
    whole.rank = 0;
    whole.ranks = 1;
    const auto stream = input.labels(whole, 60);
    for (const int position : {10, 11, 12, 21, 22, 23}) {
      PipelineOptions resumed = options;
      resumed.first_position = position;
      const auto labels = input.labels(resumed, 5);
      for (int step = 0; step < 5; ++step)
        CHECK(labels[std::size_t(step)] == stream[std::size_t(position + step * ranks + ranks - 1)]);
    }
  }
}

TEST_CASE("pipeline: a run resumed at any position goes on like the straight run, across epochs") {
  Input input({4, 7});
  const PipelineOptions options{.batch_size = 1, .threads = 2, .seed = 3, .shuffle_buffer_size = 5};
  const auto straight = input.labels(options, 50);
  for (int start = 0; start < 40; ++start) {
    PipelineOptions resumed = options;
    resumed.first_position = start;
    CHECK(input.labels(resumed, 10) ==
          std::vector<std::int32_t>(straight.begin() + start, straight.begin() + start + 10));
  }
}

TEST_CASE("pipeline: a resume far into the stream takes no longer than one epoch's order") {
  Input input({1000});
  const auto start = std::chrono::steady_clock::now();
  CHECK(input.labels({.batch_size = 10, .first_position = 4'000'000'000'000'900}, 2).size() == 20);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}
