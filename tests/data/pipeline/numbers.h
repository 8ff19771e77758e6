#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>

#include "data/pipeline/pipeline.h"
#include "data/records/record_set.h"
#include "engine/base/error.h"
#include "tests/data/records/files.h"

namespace fastnn::tests {

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

inline std::vector<std::int32_t> counted(int count) {
  std::vector<std::int32_t> values;
  for (int i = 0; i < count; ++i) values.push_back(i);
  return values;
}

}  // namespace fastnn::tests
