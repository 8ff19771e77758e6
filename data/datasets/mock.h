#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "data/pipeline/sample.h"
#include "data/records/record_source.h"
#include "engine/base/log.h"

namespace fastnn {

/// Name of the synthetic data set.
inline constexpr const char* kMockDataset = "mock";

struct MockOptions {
  ImageShape image{};
  int classes = 1;
  /// Samples of an epoch.
  std::int64_t samples = 1;
  /// Different images in memory, used again and again.
  int images = 32;
  std::uint64_t seed = 0;
};

/// Numbers for records: what a synthetic data set has to read.
class MockRecords final : public RecordSource {
 public:
  /// Throws UsageError if there are no samples.
  explicit MockRecords(std::int64_t samples);
  std::int64_t size() const override { return samples_; }
  std::vector<std::int64_t> records_per_file() const override { return {samples_}; }
  Record read(std::int64_t record, std::vector<std::byte>& room) const override;

 private:
  std::int64_t samples_;
};

/// Images of noise, uniform in [-1, 1), with labels drawn from all classes: made once from the seed, record r
/// is image r mod images. No preprocessing. The log says that nothing is learned from them.
class MockReader final : public SampleReader {
 public:
  /// Throws UsageError if there are no classes, images or pixels.
  MockReader(const MockOptions& options, Log& log);

  ImageShape image_shape() const override { return options_.image; }
  std::int32_t read(std::span<const std::byte> record, const RecordOrigin& origin, const SampleKey& key,
                    std::span<float> image, StageClock& clock) const override;

 private:
  MockOptions options_;
  std::vector<float> images_;
  std::vector<std::int32_t> labels_;
};

}  // namespace fastnn
