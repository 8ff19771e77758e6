#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "data/pipeline/sample.h"
#include "data/records/mapped_file.h"

namespace fastnn {

/// TFRecord framing: uint64 length, uint32 masked CRC-32C of those 8 bytes, payload, uint32 masked CRC-32C of
/// the payload; all little-endian. Files have no header and no end mark.
inline constexpr std::size_t kRecordHeaderBytes = 12;
inline constexpr std::size_t kRecordFooterBytes = 4;

/// Where a record is in its file.
struct RecordReference {
  /// Byte at which the record's header starts.
  std::int64_t offset = 0;
  /// Bytes of the payload.
  std::int64_t length = 0;

  bool operator==(const RecordReference&) const = default;
};

/// A verified payload; points into its file or cache.
struct Record {
  std::span<const std::byte> payload;
  RecordOrigin origin;
};

/// Finds all records of a stream of TFRecords, touching headers only: verifies the checksum of each length,
/// and that the record ends inside the stream. No bytes mean no records. Throws InputError naming file,
/// record, byte and checksum; for a cut tail also the number of good records before it; for content that is
/// no TFRecord, what it seems to be instead.
std::vector<RecordReference> scan_records(std::span<const std::byte> stream,
                                          const std::filesystem::path& file);

/// The payload of one record of the stream, without a copy, its checksum verified.
/// Throws InputError naming the origin, the stored and the computed checksum.
std::span<const std::byte> verified_payload(std::span<const std::byte> stream,
                                            const RecordReference& reference, const RecordOrigin& origin);

/// One TFRecord file: its map and the index of its records. Thread-safe once built.
class RecordFile {
 public:
  /// Maps and scans the file. Throws what MappedFile and scan_records throw.
  explicit RecordFile(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return file_.path(); }
  std::int64_t size() const { return static_cast<std::int64_t>(index_.size()); }
  std::int64_t payload_bytes() const { return payload_bytes_; }
  const RecordReference& reference(std::int64_t record) const { return index_[std::size_t(record)]; }
  RecordOrigin origin(std::int64_t record) const;

  /// A record by its index in the file; its payload is valid as long as this object.
  /// Throws InputError as verified_payload does.
  Record read(std::int64_t record) const;

 private:
  MappedFile file_;
  std::vector<RecordReference> index_;
  std::int64_t payload_bytes_ = 0;
};

}  // namespace fastnn
