#pragma once

#include <cstdint>
#include <memory>

#include "data/pipeline/sample.h"
#include "data/records/record_source.h"
#include "engine/base/log.h"
#include "nets/net_table.h"
#include "tools/parameters/parameters.h"

namespace fastnn::tools {

/// The data of a run: records and what makes samples of them.
struct Input {
  std::shared_ptr<const RecordSource> records;
  std::shared_ptr<const SampleReader> reader;
  std::int64_t num_classes = 0;
  /// Most bytes of records that are kept in memory after the first epoch; 0: none are.
  std::int64_t cache_bytes = 0;
};

/// Finds and indexes the data set's files for the program's split, as the parameters say, preprocessed for
/// the net. Throws what the data set and its records throw.
Input open_input(const Parameters& parameters, const NetEntry& net, Log& log);

}  // namespace fastnn::tools
