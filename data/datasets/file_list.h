#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/log.h"

namespace fastnn {

/// Throws UsageError if the location is an address such as oss://bucket/folder and not a local path; the
/// message says what local copy to make. 'option' names the flag it came from.
void require_local(std::string_view location, std::string_view option);

/// What a folder holds, for messages: up to 20 names, sorted, and how many more; "nothing" if it is empty.
/// Throws InputError if it is missing or no folder, EnvironmentError if it cannot be read.
std::string describe_folder(const std::filesystem::path& folder);

/// The files that a comma-separated list of names, glob patterns (* ? [...]) and folders stands for, sorted,
/// each once; blanks around commas are trimmed, relative names are taken from 'folder', or from the working
/// folder where that is empty. A name that exists is never read as a pattern; a folder, which only a name
/// and no pattern finds, stands for the files in it other than hidden ones and labels.txt. Warns of files
/// named twice and of sets
/// "...-00000-of-00005" that are incomplete.
/// Throws InputError if an element matches nothing: says what was looked for, and what the folder holds.
/// Throws UsageError if the list is empty or names an address (require_local).
std::vector<std::filesystem::path> list_files(const std::filesystem::path& folder, std::string_view list,
                                              std::string_view option, Log& log);

}  // namespace fastnn
