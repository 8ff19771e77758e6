#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fastnn {

/// Name of the file of class names beside the records of a data set.
inline constexpr const char* kClassNamesFile = "labels.txt";

/// Reads a file of lines "label:name", as TF-Slim writes it: the names by label, empty where a label has no
/// line. Blank lines and CR are ignored; names may hold colons.
/// Throws InputError naming file and line if a line has no label, a label beyond 999,999, or one that was
/// there before, and if there is no line at all; EnvironmentError if the file cannot be opened.
std::vector<std::string> read_class_names(const std::filesystem::path& file);

/// Writes such a file aside, syncs and renames it, so that it is there as a whole or not at all.
/// Throws EnvironmentError as PendingFile does.
void write_class_names(const std::filesystem::path& file, std::span<const std::string_view> names);

}  // namespace fastnn
