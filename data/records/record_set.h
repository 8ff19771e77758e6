#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "data/records/record_cache.h"
#include "data/records/record_file.h"
#include "engine/core/log.h"

namespace fastnn {

struct RecordSetOptions {
  /// Most bytes of encoded payloads kept in memory; a kept record is read and verified once. 0: none are
  /// kept, each read verifies the checksum again.
  std::int64_t cache_bytes = 0;
};

/// All records of some TFRecord files, numbered in the order of the files given. Thread-safe.
class RecordSet {
 public:
  using Options = RecordSetOptions;

  /// Maps and scans every file; says how far it is where that takes long, and warns of files without records.
  /// Throws InputError if there are no files or no records in them (lists the files), and what RecordFile
  /// throws.
  RecordSet(const std::vector<std::filesystem::path>& files, const Options& options, Log& log);

  std::int64_t size() const { return first_records_.back(); }
  const std::vector<RecordFile>& files() const { return files_; }
  /// Records of each file, in order.
  std::vector<std::int64_t> records_per_file() const;
  /// Bytes of all encoded payloads.
  std::int64_t payload_bytes() const;
  /// Bytes the cache holds now.
  std::int64_t cached_bytes() const { return cache_ ? cache_->bytes() : 0; }

  /// Where a record of the set is. Throws UsageError outside [0, size()).
  RecordOrigin origin(std::int64_t record) const;

  /// A verified record of the set; its payload is valid as long as this object.
  /// Throws InputError if the payload's checksum is wrong, UsageError outside [0, size()).
  Record read(std::int64_t record) const;

 private:
  struct Location {
    const RecordFile& file;
    /// Index in that file.
    std::int64_t record;
  };

  void scan(const std::vector<std::filesystem::path>& files, Log& log);
  Location locate(std::int64_t record) const;

  std::vector<RecordFile> files_;
  /// Number in the set of each file's first record, then size().
  std::vector<std::int64_t> first_records_{0};
  std::unique_ptr<RecordCache> cache_;
};

}  // namespace fastnn
