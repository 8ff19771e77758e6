#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace fastnn::tests {

/// Writes a table of these entries, with right checksums, to PREFIX.index.
void write_index(const std::filesystem::path& prefix, const std::map<std::string, std::string>& entries);

/// The entries of PREFIX.index.
std::map<std::string, std::string> index_entries(const std::filesystem::path& prefix);

}  // namespace fastnn::tests
