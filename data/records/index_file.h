#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "data/records/cache_folder.h"
#include "engine/base/log.h"

namespace fastnn {

/// Where the records of one file start.
struct FileIndex {
  /// Of the file when it was scanned.
  FileStamp stamp;
  /// Byte of each record's header, then the byte after the last record.
  std::vector<std::int64_t> offsets;
};

/// By absolute name of the record file.
using FileIndexes = std::map<std::string, FileIndex>;

/// An index file holds, in the byte order of the machine that wrote it:
///   uint64 magic 'FNindex1', uint32 version, uint32 files;
///   of each file: uint32 bytes of the name, the name, int64 size, int64 time of the last change in ns, int64
///   records, int64 offset of each record and of the end;
///   uint32 CRC-32C of all before.
/// A file that is missing gives no indexes; one that is damaged, cut short, of another version or of another
/// byte order neither, and is named in the log with the reason: it is made again. Never throws for a bad
/// file.
FileIndexes load_indexes(const std::filesystem::path& file, Log& log);

/// Writes an index file aside and renames it: readers and other writers always see a whole one.
/// Throws EnvironmentError if the disk refuses.
void save_indexes(const std::filesystem::path& file, const FileIndexes& indexes);

}  // namespace fastnn
