#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/log.h"

namespace fastnn {

/// Where what is made once of record files is kept: their index, and their inflated copies.
/// @param asked the user's own choice; made if it is missing.
/// @param beside the folder of the record files: taken where 'asked' is empty and it can be written;
/// otherwise it is $XDG_CACHE_HOME/fastnn, or .cache/fastnn in $HOME.
/// Empty, said in the log, if none of these can be written. Throws EnvironmentError if 'asked' cannot.
std::filesystem::path choose_cache_folder(const std::filesystem::path& asked,
                                          const std::filesystem::path& beside, Log& log);

/// The size and the time of the last change of a file: what is kept of a file with another stamp is stale.
struct FileStamp {
  std::int64_t bytes = 0;
  std::int64_t changed_ns = 0;

  bool operator==(const FileStamp&) const = default;
};

/// Throws InputError if there is no such file, EnvironmentError if the system refuses; both name it.
FileStamp stamp_of(const std::filesystem::path& file);

/// 16 hexadecimal digits that stand for a text in the name of a kept file.
std::string short_name_of(std::string_view text);

}  // namespace fastnn
