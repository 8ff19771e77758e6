#include "data/pipeline/bad_records.h"

#include "tests/data/pipeline/numbers.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

using Mode = PipelineOptions::Mode;

}  // namespace

TEST_CASE("pipeline: a bad record is replaced by the next good one of the order, whatever the threads do") {
  Input input({20, 20});
  const PipelineOptions options{
      .batch_size = 4, .threads = 1, .seed = 2, .bad_records = BadRecordPolicy::skip};
  const auto order = input.labels(options, 30);
  input.reader->bad_every = 5;
  const auto expected = input.batches(options, 25);
  for (std::size_t i = 0; i < 100; ++i) {
    std::size_t good = i;
    while (order[good] % 5 == 1) ++good;
    CHECK(expected[i / 4].labels[i % 4] == order[good]);
    CHECK(expected[i / 4].images[i % 4 * 4 + 1] == static_cast<float>(i));
  }
  input.reader->delay = std::chrono::microseconds(200);
  PipelineOptions more = options;
  more.threads = 4;
  CHECK(input.batches(more, 25) == expected);
}

TEST_CASE(
    "pipeline: skipped records are counted once each, in the log and the statistics, report names all") {
  Input input({20, 20});
  input.reader->bad_every = 5;
  for (const auto policy : {BadRecordPolicy::skip, BadRecordPolicy::report}) {
    input.log.lines.clear();
    const auto pipeline =
        input.start({.mode = Mode::evaluation, .batch_size = 40, .threads = 2, .bad_records = policy});
    const Batch* batch = pipeline->next();
    REQUIRE(batch != nullptr);
    CHECK(batch->valid == 32);
    CHECK(batch->labels[0] == 0);
    CHECK(batch->labels[1] == 2);
    CHECK(batch->labels[31] == 39);
    CHECK(pipeline->statistics().samples == 32);
    CHECK(pipeline->statistics().bad_records == 8);
    CHECK(holds_all(describe(pipeline->statistics()), {"8 bad records"}));
    if (policy == BadRecordPolicy::skip) {
      CHECK(holds_all(input.log.lines,
                      {"warning: 8 bad records so far, left out", "the last: [test] bad image in "}));
      CHECK(input.log.lines.find("7 bad records") == std::string::npos);
    } else {
      for (const char* record : {"f0, record 1,", "f0, record 16,", "f1, record 1,", "f1, record 16,"})
        CHECK(holds_all(input.log.lines, {record}));
    }
  }
}

TEST_CASE("pipeline: an evaluation leaves a damaged record out, its image and its label with it") {
  Input input({5, 5});
  std::fstream file(input.folder / "f1", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(2 * 17 + 12).put('x');
  file.close();
  const PipelineOptions options{
      .mode = Mode::evaluation, .batch_size = 5, .bad_records = BadRecordPolicy::skip};
  const auto pipeline = input.start(options);
  std::vector<std::int32_t> labels;
  std::vector<int> valid;
  while (const Batch* batch = pipeline->next()) {
    valid.push_back(batch->valid);
    for (int row = 0; row < batch->valid; ++row) {
      labels.push_back(batch->labels[std::size_t(row)]);
      // The reader writes the record's number first, the position second.
      CHECK(batch->images[std::size_t(row) * 4] == static_cast<float>(labels.back()));
    }
    for (int row = batch->valid; row < 5; ++row) CHECK(batch->images[std::size_t(row) * 4] == 0);
  }
  CHECK(valid == std::vector<int>{5, 4});
  CHECK(labels == std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 8, 9});
}

TEST_CASE("pipeline: an evaluation of a set without a good record has a batch without rows") {
  Input input({1});
  input.reader->unreadable = 0;
  const auto pipeline =
      input.start({.mode = Mode::evaluation, .batch_size = 4, .bad_records = BadRecordPolicy::skip});
  const Batch* batch = pipeline->next();
  REQUIRE(batch != nullptr);
  CHECK(batch->valid == 0);
  CHECK(pipeline->next() == nullptr);
}

TEST_CASE("pipeline: more bad records than the limit end the run with the last one") {
  Input input({20});
  input.reader->bad_every = 5;
  const PipelineOptions options{.mode = Mode::evaluation,
                                .batch_size = 20,
                                .threads = 1,
                                .bad_records = BadRecordPolicy::skip,
                                .bad_record_limit = 3};
  CHECK(holds_all(message_of<InputError>([&] { input.batches(options, 9); }),
                  {"4 bad records", "bad_record_limit allows (3)", "f0, record 16"}));
  PipelineOptions enough = options;
  enough.bad_record_limit = 4;
  CHECK(input.batches(enough, 9).size() == 1);
}

TEST_CASE("pipeline: a set without a good record says so") {
  Input one({1});
  one.reader->unreadable = 0;
  CHECK(holds_all(message_of<InputError>(
                      [&] { one.batches({.batch_size = 1, .bad_records = BadRecordPolicy::skip}, 1); }),
                  {"none of the 1 records is good"}));
}
