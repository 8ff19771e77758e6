#include "tests/data/pipeline/numbers.h"

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

TEST_CASE(
    "pipeline: two ranks on files of 1, 10 and 100 records agree on the batches of an epoch and share none") {
  Input input({1, 10, 100});
  const int batches = 111 / 2 + 1;
  std::vector<std::int32_t> joined;
  for (int rank = 0; rank < 2; ++rank) {
    const PipelineOptions evaluation{.mode = Mode::evaluation, .batch_size = 1, .rank = rank, .ranks = 2};
    CHECK(input.batches(evaluation, 1000).size() == batches);
    const auto part = input.labels({.batch_size = 1, .seed = 4, .rank = rank, .ranks = 2}, 111);
    joined.insert(joined.end(), part.begin(), part.end());
  }
  // 111 steps of two samples are two epochs.
  std::sort(joined.begin(), joined.end());
  std::vector<std::int32_t> twice;
  for (int i = 0; i < 111; ++i) twice.insert(twice.end(), 2, i);
  CHECK(joined == twice);
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
