#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/parameters/parameter_table.h"

namespace fastnn::tools {

/// The rows of the table, several groups a function, in the order of --help.
std::vector<ParameterRow> data_rows();
std::vector<ParameterRow> training_rows();
std::vector<ParameterRow> run_rows();
std::vector<ParameterRow> surroundings_rows();
/// Flags that scripts for TF-Slim and tf_cnn_benchmarks give, other than the aliases.
std::vector<ParameterRow> other_programs_rows();

/// Aliases of FastNN itself, TF-Slim and tf_cnn_benchmarks.
std::vector<ParameterAlias> all_aliases();

/// Most steps, samples and epochs: more than any run has, and sums of them fit 64 bits.
inline constexpr double kMostCount = 1e12;

/// For ParameterRow::acts_while.
inline constexpr Condition::Is kOneOf = Condition::Is::one_of, kNoneOf = Condition::Is::none_of;

/// Appends rows to 'table', with their group filled in.
void append_group(std::vector<ParameterRow>& table, std::string_view group, std::vector<ParameterRow> rows);

/// ParameterRow::refuse of paths: those of cloud storage ("oss://...") are not read.
std::string refuse_cloud_path(std::string_view value);

}  // namespace fastnn::tools
