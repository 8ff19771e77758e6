#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/parameters/parameters.h"
#include "tools/parameters/report.h"
#include "tools/train/data_record.h"

namespace fastnn::tools {

/// What a parameter comes to in a run: the user's value, or what stands for it while the user sets none (the
/// net's image size, the data's number of classes), so that runs are compared by what they do. Nothing for a
/// parameter whose text says all, and where the data decides and is not known.
std::optional<std::string> resolved_value(const Parameters& parameters, std::string_view name,
                                          const std::optional<DataRecord>& data);

/// Settings and what is known of the data they were used with.
struct RunSettings {
  const Parameters& parameters;
  std::optional<DataRecord> data;
};

/// The differences between two runs of fastnn-train that remain once values are resolved.
std::vector<Difference> resolved_differences(const RunSettings& a, const RunSettings& b);

}  // namespace fastnn::tools
