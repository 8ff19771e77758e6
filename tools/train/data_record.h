#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/pipeline/sample.h"
#include "engine/base/log.h"
#include "engine/checkpoint/state_checkpoint.h"

namespace fastnn::tools {

/// What a run remembers of the data it learned from; its checkpoints hold it.
struct DataRecord {
  std::int64_t records = 0;
  /// Of the net's output.
  std::int64_t classes = 0;
  /// By class; shorter than 'classes' where names are not known, or empty.
  std::vector<std::string> class_names;

  bool operator==(const DataRecord&) const = default;
};

/// The tensors of a checkpoint that hold a record: fastnn/records, fastnn/classes and fastnn/class_names (the
/// names' bytes, a zero byte behind each).
ExtraTensors tensors_of(const DataRecord& record);

/// The record of a checkpoint; nothing if it holds none, as those of other programs.
std::optional<DataRecord> read_data_record(const BundleReader& bundle);

/// How the classes of some data become those of a run that learned from other data, or from the same before
/// its folders changed: for each class of the data that of the run, -1 where the run knows none of that name.
/// Empty where they are the same. Says in the log what is mapped, and warns where the names of one side are
/// not known. Throws InputError if the data has a class that the run does not, if names that differ stand for
/// several classes, or if numbers of classes differ and names are not known.
std::vector<std::int32_t> map_classes(const DataRecord& data, const DataRecord& run, Log& log);

/// Gives the labels of another reader as classes of a run.
class MappedLabels final : public SampleReader {
 public:
  /// @param classes what map_classes() returned, not empty.
  MappedLabels(std::shared_ptr<const SampleReader> reader, std::vector<std::int32_t> classes);

  ImageShape image_shape() const override { return reader_->image_shape(); }
  /// Also throws InputError for a label whose class has no name.
  std::int32_t read(std::span<const std::byte> record, const RecordOrigin& origin, const SampleKey& key,
                    std::span<float> image, StageClock& clock) const override;

 private:
  std::shared_ptr<const SampleReader> reader_;
  std::vector<std::int32_t> classes_;
};

}  // namespace fastnn::tools
