#pragma once

#include <atomic>
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

/// A verified payload; points into its file, its cache or the room it was read into.
struct Record {
  std::span<const std::byte> payload;
  RecordOrigin origin;
};

/// Whether a stream starts with a length whose checksum is right.
bool starts_with_record(std::span<const std::byte> stream);

/// Appends the byte at which each record of a stream of TFRecords starts, and the byte after the last one to
/// 'offsets', touching headers only: verifies the checksum of each length, and that the record ends inside
/// the stream. Adds to 'scanned', if there is one, the bytes it has passed.
/// Throws InputError naming file, record, byte and checksum; for a cut tail also the number of good records
/// before it; for content that is no TFRecord, what it seems to be instead. 'offsets' holds the good records
/// before the fault then, and the byte after them.
void scan_records(std::span<const std::byte> stream, const std::filesystem::path& file,
                  std::vector<std::int64_t>& offsets, std::atomic<std::int64_t>* scanned = nullptr);

/// The payload of one record of the stream, without a copy, its checksum verified.
/// Throws InputError naming the origin, the stored and the computed checksum.
std::span<const std::byte> verified_payload(std::span<const std::byte> stream,
                                            const RecordReference& reference, const RecordOrigin& origin);

/// One TFRecord file: its map and the index of its records. Thread-safe once built. Movable.
class RecordFile {
 public:
  /// Maps and scans the file. Throws what MappedFile and scan_records throw.
  explicit RecordFile(const std::filesystem::path& path);
  /// @param name what messages call the file: its inflated copy may be what is mapped.
  /// @param offsets as scan_records gives them; they may end before the file does.
  RecordFile(std::filesystem::path name, MappedFile file, std::vector<std::int64_t> offsets);

  const std::filesystem::path& path() const { return name_; }
  std::int64_t size() const { return static_cast<std::int64_t>(offsets_.size()) - 1; }
  std::int64_t payload_bytes() const;
  RecordReference reference(std::int64_t record) const;
  /// Valid as long as this object stays in its place.
  RecordOrigin origin(std::int64_t record) const;

  /// A record by its index in the file; valid as long as this object stays in its place.
  /// Throws InputError as verified_payload does.
  Record read(std::int64_t record) const;

 private:
  std::filesystem::path name_;
  MappedFile file_;
  std::vector<std::int64_t> offsets_;
};

}  // namespace fastnn
