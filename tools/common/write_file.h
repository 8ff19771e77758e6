#pragma once

#include <filesystem>
#include <string_view>

namespace fastnn::tools {

/// Writes a whole file through FILE.tmp beside it: written, synced, renamed over FILE, so that FILE is the
/// old or the new one at any time. Throws EnvironmentError naming the file and the system's reason; FILE is
/// then as before and FILE.tmp is gone.
void write_file(const std::filesystem::path& file, std::string_view bytes);

}  // namespace fastnn::tools
