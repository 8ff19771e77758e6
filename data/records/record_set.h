#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "data/records/index_file.h"
#include "data/records/record_cache.h"
#include "data/records/record_source.h"
#include "engine/base/log.h"

namespace fastnn {

struct RecordSetOptions {
  /// Most bytes of encoded payloads kept in memory; a kept record is read and verified once. 0: none are
  /// kept, each read verifies the checksum again.
  std::int64_t cache_bytes = 0;
  /// Folder of the index file and of inflated copies, "" for the usual place (choose_cache_folder). Nothing:
  /// no index is kept, and compressed files are refused.
  std::optional<std::filesystem::path> index_dir{};
  /// What a file that is damaged between its records does: nobody can tell where the next record starts.
  enum class Damage {
    fail,  ///< is an error
    skip,  ///< loses the records from there on; a warning says which bytes
  };
  Damage damage = Damage::fail;
  /// Time between two lines that say how far the scan is.
  std::chrono::milliseconds progress_interval{5000};
  /// Most bytes that a compressed file may hold.
  std::int64_t max_inflated_bytes = std::int64_t{1} << 40;
};

/// All records of some TFRecord files, plain or compressed with gzip or zlib, numbered in the order of the
/// files given. The index of all records is made once, by several threads, and kept in a file; what it says
/// of a file whose size or time has changed is not used. Compressed files are inflated once, into a file of
/// the cache folder, and read as plain ones; bytes in messages are those of the inflated stream.
/// Thread-safe.
class RecordSet final : public RecordSource {
 public:
  using Options = RecordSetOptions;

  /// Maps every file, and scans those that are not in the index file; says how far it is where that takes
  /// long, and warns of files without records.
  /// Throws InputError if there are no files or no records in them (lists the files), and what RecordFile,
  /// inflate_to_file and choose_cache_folder throw. An index that cannot be written is a warning.
  RecordSet(const std::vector<std::filesystem::path>& files, const Options& options, Log& log);

  std::int64_t size() const override { return first_records_.back(); }
  const std::vector<RecordFile>& files() const { return files_; }
  std::vector<std::int64_t> records_per_file() const override;
  /// Bytes of all encoded payloads.
  std::int64_t payload_bytes() const;
  /// Bytes the cache holds now.
  std::int64_t cached_bytes() const { return cache_ ? cache_->bytes() : 0; }
  /// Bytes of the index in memory.
  std::int64_t index_bytes() const { return size() * static_cast<std::int64_t>(sizeof(std::int64_t)); }

  /// Where a record of the set is. Throws UsageError outside [0, size()).
  RecordOrigin origin(std::int64_t record) const;

  /// A verified record of the set; valid as long as this object.
  /// Throws InputError if the payload's checksum is wrong, UsageError outside [0, size()).
  Record read(std::int64_t record) const;
  Record read(std::int64_t record, std::vector<std::byte>&) const override { return read(record); }

 private:
  struct Location {
    const RecordFile& file;
    /// Index in that file.
    std::int64_t record;
  };

  void add(std::vector<RecordFile> files, Log& log);
  Location locate(std::int64_t record) const;

  std::vector<RecordFile> files_;
  /// Number in the set of each file's first record, then size().
  std::vector<std::int64_t> first_records_{0};
  std::unique_ptr<RecordCache> cache_;
};

}  // namespace fastnn
