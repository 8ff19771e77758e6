#pragma once

#include <filesystem>
#include <vector>

#include "data/records/record_set.h"

namespace fastnn {

/// Opens record files with their indexes: from the index file where that is kept and fresh, else by scanning
/// them on several threads; writes the index file again if anything was scanned. See RecordSet.
std::vector<RecordFile> open_record_files(const std::vector<std::filesystem::path>& files,
                                          const RecordSetOptions& options, Log& log);

}  // namespace fastnn
