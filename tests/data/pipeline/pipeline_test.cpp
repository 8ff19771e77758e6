#include "data/pipeline/pipeline.h"

#include "data/records/record_set.h"

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <map>
#include <stdexcept>

#include "engine/core/error.h"
#include "tests/data/records/files.h"

using namespace fastnn;
using namespace fastnn::tests;

// Lets an allocation that no memory holds fail as without a sanitizer, instead of ending the test program.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}
extern "C" const char* __tsan_default_options() {
  return "allocator_may_return_null=1";
}

namespace {

using Mode = PipelineOptions::Mode;

/// What a batch held: positions derived from row 0, labels, images.
struct Copy {
  std::int64_t first_position;
  int valid;
  std::vector<std::int32_t> labels;
  std::vector<float> images;

  bool operator==(const Copy&) const = default;
};

/// Records hold their number as text: the label is that number; the image is number, position, seed and
/// noise.
class NumberReader : public SampleReader {
 public:
  ImageShape image_shape() const override { return {.height = 2, .width = 2, .channels = 1}; }

  std::int32_t read(std::span<const std::byte> record, const RecordOrigin& origin, const SampleKey& key,
                    std::span<float> image, StageClock& clock) const override {
    const int number = std::stoi(std::string(text_of(record)));
    if (number == failing) throw std::domain_error("number " + std::to_string(number));
    if (number == unreadable || (bad_every > 0 && number % bad_every == 1))
      throw InputError("[test] bad image in {}", origin.text());
    if (number % 3 == 0) std::this_thread::sleep_for(delay);
    wrong_niceness += ::getpriority(PRIO_PROCESS, static_cast<::id_t>(::gettid())) != niceness;
    image[0] = static_cast<float>(number);
    image[1] = static_cast<float>(key.position);
    image[2] = static_cast<float>(key.seed);
    image[3] = static_cast<float>(image.size());
    ++reads;
    clock.finish(Stage::decode);
    return number;
  }

  int failing = -1;
  int unreadable = -1;
  int bad_every = 0;
  int niceness = 10;
  std::chrono::microseconds delay{0};
  mutable std::atomic<int> wrong_niceness = 0;
  mutable std::atomic<int> reads = 0;
};

/// Files of the given numbers of records, their payloads counted from 0, and a pipeline over them.
struct Input {
  explicit Input(const std::vector<int>& records_per_file) {
    std::vector<std::filesystem::path> paths;
    int number = 0;
    for (const int count : records_per_file) {
      std::vector<std::string> payloads;
      for (int i = 0; i < count; ++i) payloads.push_back(std::to_string(number++));
      paths.push_back(write_records(folder / fmt::format("f{}", paths.size()), payloads));
    }
    records = std::make_shared<RecordSet>(paths, RecordSetOptions{}, log);
  }

  std::unique_ptr<Pipeline> start(const PipelineOptions& options) {
    return std::make_unique<Pipeline>(records, reader, options, log);
  }

  std::vector<Copy> batches(const PipelineOptions& options, int most) {
    const auto pipeline = start(options);
    std::vector<Copy> copies;
    while (static_cast<int>(copies.size()) < most) {
      const Batch* batch = pipeline->next();
      if (batch == nullptr) break;
      copies.push_back({batch->first_position,
                        batch->valid,
                        {batch->labels.begin(), batch->labels.end()},
                        {batch->images.begin(), batch->images.end()}});
    }
    return copies;
  }

  std::vector<std::int32_t> labels(const PipelineOptions& options, int most) {
    std::vector<std::int32_t> labels;
    for (const Copy& batch : batches(options, most))
      labels.insert(labels.end(), batch.labels.begin(), batch.labels.begin() + batch.valid);
    return labels;
  }

  TemporaryFolder folder;
  LinesLog log;
  std::shared_ptr<RecordSet> records;
  std::shared_ptr<NumberReader> reader = std::make_shared<NumberReader>();
};

std::vector<std::int32_t> counted(int count) {
  std::vector<std::int32_t> values;
  for (int i = 0; i < count; ++i) values.push_back(i);
  return values;
}

}  // namespace

TEST_CASE("pipeline: the batches are the same for 1, 2 and 5 threads and any depth") {
  Input input({5, 17, 1});
  input.reader->delay = std::chrono::microseconds(300);
  const auto expected = input.batches({.batch_size = 4, .threads = 1, .prefetch_batches = 1, .seed = 6}, 30);
  REQUIRE(expected.size() == 30);
  for (const int threads : {2, 5})
    for (const int prefetch : {1, 4})
      CHECK(input.batches({.batch_size = 4, .threads = threads, .prefetch_batches = prefetch, .seed = 6},
                          30) == expected);
  CHECK(input.batches({.batch_size = 4, .threads = 2, .seed = 7}, 30) != expected);
}

TEST_CASE(
    "pipeline: each row holds the sample of its position, with seed and position for its random numbers") {
  Input input({10});
  const auto batches = input.batches({.batch_size = 3, .first_position = 5, .seed = 8}, 4);
  for (std::size_t b = 0; b < 4; ++b)
    for (std::size_t row = 0; row < 3; ++row) {
      const float* image = &batches[b].images[row * 4];
      CHECK(batches[b].first_position == static_cast<std::int64_t>(5 + b * 3));
      CHECK(image[0] == static_cast<float>(batches[b].labels[row]));
      CHECK(image[1] == static_cast<float>(5 + b * 3 + row));
      CHECK(image[2] == 8.0F);
      CHECK(image[3] == 4.0F);
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

TEST_CASE("pipeline: batches cross epochs, and every epoch sees each record exactly once") {
  Input input({1, 10, 100});
  const auto labels =
      input.labels({.batch_size = 37, .threads = 3, .seed = 1, .shuffle_buffer_size = 16}, 12);
  REQUIRE(labels.size() == 444);
  for (int epoch = 0; epoch < 4; ++epoch) {
    std::vector<std::int32_t> part(labels.begin() + epoch * 111, labels.begin() + (epoch + 1) * 111);
    std::sort(part.begin(), part.end());
    CHECK(part == counted(111));
  }
}

TEST_CASE("pipeline: evaluating 350 samples in batches of 100 counts 350, in file order, padded with zeros") {
  Input input({150, 200});
  const auto batches = input.batches({.mode = Mode::evaluation, .batch_size = 100, .threads = 3}, 1000);
  REQUIRE(batches.size() == 4);
  int valid = 0;
  for (const Copy& batch : batches) valid += batch.valid;
  CHECK(valid == 350);
  CHECK(batches[3].valid == 50);
  CHECK(batches[3].labels[49] == 349);
  CHECK(std::all_of(batches[3].labels.begin() + 50, batches[3].labels.end(), [](int l) { return l == 0; }));
  CHECK(
      std::all_of(batches[3].images.begin() + 200, batches[3].images.end(), [](float v) { return v == 0; }));
  CHECK(input.labels({.mode = Mode::evaluation, .batch_size = 100, .threads = 3}, 1000) == counted(350));
}

TEST_CASE("pipeline: after an evaluation pass next() keeps returning nothing") {
  Input input({3});
  const auto pipeline = input.start({.mode = Mode::evaluation, .batch_size = 2});
  CHECK(pipeline->next() != nullptr);
  CHECK(pipeline->next() != nullptr);
  CHECK(pipeline->next() == nullptr);
  CHECK(pipeline->next() == nullptr);
  CHECK(pipeline->statistics().samples == 3);
  CHECK(input.start({.mode = Mode::evaluation, .first_position = 3})->next() == nullptr);
}

TEST_CASE("pipeline: three ranks together train on the batches of one, and none shares a row") {
  Input input({29});
  const auto whole = input.labels({.batch_size = 6, .seed = 4}, 10);
  std::vector<std::vector<std::int32_t>> parts;
  for (int rank = 0; rank < 3; ++rank)
    parts.push_back(input.labels({.batch_size = 2, .seed = 4, .rank = rank, .ranks = 3}, 10));
  std::vector<std::int32_t> joined;
  for (std::size_t step = 0; step < 10; ++step)
    for (const auto& part : parts)
      joined.insert(joined.end(), part.begin() + step * 2, part.begin() + step * 2 + 2);
  CHECK(joined == whole);
}

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
    "pipeline: skipped records are counted once each, in the log and the statistics; report names all") {
  Input input({20, 20});
  input.reader->bad_every = 5;
  for (const auto policy : {BadRecordPolicy::skip, BadRecordPolicy::report}) {
    input.log.lines.clear();
    const auto pipeline =
        input.start({.mode = Mode::evaluation, .batch_size = 40, .threads = 2, .bad_records = policy});
    const Batch* batch = pipeline->next();
    REQUIRE(batch != nullptr);
    CHECK(batch->valid == 40);
    CHECK(batch->labels[36] == 37);
    CHECK(batch->labels[37] == 37);
    CHECK(pipeline->statistics().bad_records == 8);
    CHECK(holds_all(describe(pipeline->statistics()), {"8 bad records"}));
    if (policy == BadRecordPolicy::skip) {
      CHECK(
          holds_all(input.log.lines, {"warning: 8 bad records replaced", "the last: [test] bad image in "}));
      CHECK(input.log.lines.find("7 bad records") == std::string::npos);
    } else {
      for (const char* record : {"f0, record 1,", "f0, record 16,", "f1, record 1,", "f1, record 16,"})
        CHECK(holds_all(input.log.lines, {record}));
    }
  }
}

TEST_CASE("pipeline: a damaged record is replaced too, and the last one of an evaluation by the first") {
  Input input({5, 5});
  std::fstream file(input.folder / "f1", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4 * 17 + 12).put('x');
  file.close();
  CHECK(input.labels({.mode = Mode::evaluation, .batch_size = 5, .bad_records = BadRecordPolicy::skip}, 9) ==
        std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 0});
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

TEST_CASE("pipeline: time is told by stage, and a slow decoder shows as decoding") {
  Input input({9});
  input.reader->delay = std::chrono::milliseconds(20);
  const auto pipeline = input.start({.batch_size = 9, .threads = 1, .prefetch_batches = 1});
  pipeline->next();
  const PipelineStatistics statistics = pipeline->statistics();
  CHECK(statistics.stage_seconds[std::size_t(Stage::decode)] >= 0.06);
  CHECK(statistics.stage_seconds[std::size_t(Stage::read)] < 0.06);
  CHECK(statistics.stage_seconds[std::size_t(Stage::preprocess)] == 0);
  const std::string text = describe({.wait_seconds = 1.5, .stage_seconds = {1, 6, 2, 1}, .bad_records = 3});
  CHECK(text ==
        "input: 1.500 s waited for data; threads: 10 % reading, 60 % decoding, 20 % preprocessing, "
        "10 % waiting for room; 3 bad records");
  CHECK(holds_all(describe({}), {"0 % reading"}));
}

TEST_CASE("pipeline: ranks of an evaluation see the same number of batches and each sample once") {
  Input input({7});
  std::vector<std::int32_t> joined;
  for (int rank = 0; rank < 4; ++rank) {
    const PipelineOptions options{.mode = Mode::evaluation, .batch_size = 1, .rank = rank, .ranks = 4};
    CHECK(input.batches(options, 100).size() == 2);
    const auto part = input.labels(options, 100);
    joined.insert(joined.end(), part.begin(), part.end());
  }
  std::sort(joined.begin(), joined.end());
  CHECK(joined == counted(7));
}

TEST_CASE("pipeline: a reader's exception reaches next() as it was, when its batch is due, and again") {
  for (const int threads : {1, 4}) {
    Input input({40});
    input.reader->failing = 25;
    input.reader->unreadable = 33;
    const auto pipeline = input.start({.mode = Mode::evaluation, .batch_size = 10, .threads = threads});
    CHECK(pipeline->next() != nullptr);
    CHECK(pipeline->next()->labels[9] == 19);
    CHECK(message_of<std::domain_error>([&] { pipeline->next(); }) == "number 25");
    CHECK(message_of<std::domain_error>([&] { pipeline->next(); }) == "number 25");
  }
}

TEST_CASE("pipeline: a bad sample is an InputError that names its record") {
  Input input({5, 5});
  input.reader->unreadable = 7;
  const auto pipeline = input.start({.mode = Mode::evaluation, .batch_size = 10});
  CHECK(holds_all(message_of<InputError>([&] { pipeline->next(); }), {"bad image", "f1, record 2"}));
}

TEST_CASE("pipeline: a damaged record is an InputError that names its file") {
  Input input({5, 5});
  std::fstream file(input.folder / "f1", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(12).put('x');
  file.close();
  const auto pipeline = input.start({.mode = Mode::evaluation, .batch_size = 10});
  CHECK(holds_all(message_of<InputError>([&] { pipeline->next(); }), {"payload checksum", "f1, record 0"}));
}

TEST_CASE("pipeline: it can be destroyed before, during and after use, also after a failure") {
  Input input({50});
  input.reader->delay = std::chrono::microseconds(500);
  for (int taken = 0; taken < 6; ++taken) {
    const auto pipeline = input.start({.batch_size = 3, .threads = 3, .prefetch_batches = 3});
    for (int i = 0; i < taken; ++i) CHECK(pipeline->next() != nullptr);
  }
  input.reader->failing = 11;
  for (int round = 0; round < 6; ++round) input.start({.batch_size = 50, .threads = 3});
}

TEST_CASE("pipeline: the threads read no further ahead than the batches prefetched") {
  Input input({50});
  const auto pipeline = input.start({.batch_size = 4, .threads = 3, .prefetch_batches = 2});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(input.reader->reads <= 12);
  pipeline->next();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(input.reader->reads <= 12);
  pipeline->next();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(input.reader->reads <= 16);
}

TEST_CASE("pipeline: a batch stays as it is until the next call") {
  Input input({50});
  const auto pipeline = input.start({.batch_size = 4, .threads = 3, .prefetch_batches = 1});
  for (int i = 0; i < 20; ++i) {
    const Batch* batch = pipeline->next();
    const std::vector<float> before(batch->images.begin(), batch->images.end());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(std::equal(before.begin(), before.end(), batch->images.begin()));
  }
}

TEST_CASE("pipeline: its threads run at the niceness asked for, the caller's thread does not") {
  const int before = ::getpriority(PRIO_PROCESS, static_cast<::id_t>(::gettid()));
  for (const int niceness : {10, 15}) {
    Input input({50});
    input.reader->niceness = niceness;
    input.batches({.batch_size = 5, .threads = 3, .niceness = niceness}, 10);
    CHECK(input.reader->reads >= 50);
    CHECK(input.reader->wrong_niceness == 0);
  }
  CHECK(::getpriority(PRIO_PROCESS, static_cast<::id_t>(::gettid())) == before);
}

TEST_CASE("pipeline: memory and time waited are counted, and the memory is said") {
  Input input({9});
  input.reader->delay = std::chrono::milliseconds(5);
  const auto pipeline = input.start({.batch_size = 8, .threads = 1, .prefetch_batches = 3});
  // 8 images of 4 floats are 128 bytes, 8 labels 32; 3 batches ahead and one in use.
  CHECK(pipeline->statistics().memory_bytes == 4 * 160);
  CHECK(pipeline->statistics().wait_seconds == 0);
  pipeline->next();
  CHECK(pipeline->statistics().wait_seconds > 0.001);
  CHECK(pipeline->statistics().samples == 8);
  CHECK(holds_all(input.log.lines, {"1 threads, 4 batches of [8,2,2,1] in 640 bytes"}));
}

TEST_CASE("pipeline: the batches prefetched are lowered to the limit of memory, and it is said") {
  Input input({9});
  CHECK(input.start({.batch_size = 8, .prefetch_batches = 9, .max_bytes = 500})->statistics().memory_bytes ==
        480);
  CHECK(holds_all(input.log.lines, {"warning: prefetch_batches lowered from 9 to 2", "500 bytes"}));
  CHECK(input.start({.batch_size = 8, .prefetch_batches = 9, .max_bytes = 1})->statistics().memory_bytes ==
        320);
}

TEST_CASE("pipeline: options out of range are the caller's mistake and are named") {
  Input input({3});
  const std::pair<PipelineOptions, std::string> cases[] = {
      {{.batch_size = 0}, "batch_size"},
      {{.threads = 0}, "threads"},
      {{.prefetch_batches = 0}, "prefetch_batches"},
      {{.max_bytes = 0}, "max_bytes"},
      {{.first_position = -1}, "first_position"},
      {{.shuffle_buffer_size = -1}, "shuffle_buffer_size"},
      {{.ranks = 0}, "ranks"},
      {{.rank = 2, .ranks = 2}, "rank must be in [0, 2)"},
      {{.rank = -1}, "rank must be in"},
      {{.bad_record_limit = -1}, "bad_record_limit"},
  };
  for (const auto& [options, name] : cases)
    CHECK(holds_all(message_of<UsageError>([&, o = options] { input.start(o); }), {name, "got"}));
}

TEST_CASE("pipeline: a batch that no memory holds is a fault of the environment") {
  const BatchRingOptions options{.slots = 2, .rows = 1, .image_elements = std::size_t{1} << 44, .batches = 1};
  CHECK(holds_all(message_of<EnvironmentError>([&] { BatchRing ring(options); }),
                  {"no memory for 2 batches", std::to_string(BatchRing::bytes_of(options)), "batch size"}));
}
