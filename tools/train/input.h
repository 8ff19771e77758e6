#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/pipeline/sample.h"
#include "data/records/record_source.h"
#include "engine/base/log.h"
#include "nets/net_table.h"
#include "tools/parameters/parameters.h"
#include "tools/train/data_record.h"

namespace fastnn::tools {

/// The data of a run: records and what makes samples of them.
struct Input {
  std::shared_ptr<const RecordSource> records;
  std::shared_ptr<const SampleReader> reader;
  /// Of the net's output.
  std::int64_t num_classes = 0;
  /// By class, as far as they are known.
  std::vector<std::string> class_names{};
  /// Most bytes of records that are kept in memory after the first epoch; 0: none are.
  std::int64_t cache_bytes = 0;
};

/// Finds and indexes the data set's files for the program's split, as the parameters say, preprocessed for
/// the net. Where a run has learned from data before, classes are those of the run (map_classes).
/// Throws what the data set, its records and map_classes throw.
Input open_input(const Parameters& parameters, const NetEntry& net, const std::optional<DataRecord>& run,
                 Log& log);

/// What a run remembers of this data.
DataRecord data_record_of(const Input& input);

}  // namespace fastnn::tools
