#include "data/datasets/mock.h"

#include <set>

#include "engine/base/error.h"
#include "tests/data/datasets/recording_log.h"
#include "tests/support/catch.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

struct Sample {
  std::int32_t label;
  std::vector<float> image;
  bool operator==(const Sample&) const = default;
};

Sample sample_of(const MockReader& reader, std::int64_t number) {
  const MockRecords records(1000);
  std::vector<std::byte> room;
  StageTimes times;
  StageClock clock(times);
  Sample sample{0, std::vector<float>(reader.image_shape().elements())};
  const Record record = records.read(number, room);
  sample.label = reader.read(record.payload, record.origin, {}, sample.image, clock);
  return sample;
}

}  // namespace

TEST_CASE("mock: a seeded batch of noise is used again and again, with labels in range, and says so") {
  RecordingLog log;
  const MockOptions options{.image = {3, 5, 3}, .classes = 3, .samples = 1000, .images = 8, .seed = 4};
  const MockReader reader(options, log);
  CHECK_THAT(log.warnings, Contains("SYNTHETIC DATA") && Contains("8 images"));
  std::set<std::int32_t> labels;
  double sum = 0;
  for (int i = 0; i < 8; ++i) {
    const Sample sample = sample_of(reader, i);
    CHECK(sample == sample_of(reader, i + 8 * 17));
    CHECK_FALSE(sample == sample_of(reader, i + 1));
    labels.insert(sample.label);
    for (const float value : sample.image) {
      CHECK((value >= -1 && value < 1));
      sum += value;
    }
  }
  CHECK(*labels.begin() >= 0);
  CHECK(*labels.rbegin() < 3);
  CHECK(labels.size() > 1);
  CHECK(std::abs(sum / (8 * 45)) < 0.2);
  MockOptions other = options;
  CHECK(sample_of(MockReader(other, log), 3) == sample_of(reader, 3));
  other.seed = 5;
  CHECK_FALSE(sample_of(MockReader(other, log), 3) == sample_of(reader, 3));
}

TEST_CASE("mock: one class is enough") {
  RecordingLog log;
  CHECK(sample_of(MockReader({.image = {2, 2, 3}, .classes = 1}, log), 0).label == 0);
}

TEST_CASE("mock: no class, image, pixel or sample is the caller's mistake") {
  RecordingLog log;
  CHECK_THROWS_AS(MockReader({.image = {2, 2, 3}, .classes = 0}, log), UsageError);
  CHECK_THROWS_AS(MockReader({.image = {2, 2, 3}, .images = 0}, log), UsageError);
  CHECK_THROWS_WITH(MockReader({.image = {0, 2, 3}}, log), Contains("mock needs classes, images and pixels"));
  CHECK_THROWS_WITH(MockRecords(0), Contains("needs a sample, got 0"));
}
