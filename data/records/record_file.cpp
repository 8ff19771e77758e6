#include "data/records/record_file.h"

#include <cstring>

#include "data/records/file_kind.h"
#include "engine/core/crc32c.h"
#include "engine/core/error.h"

namespace fastnn {
namespace {

constexpr const char* kDamaged = "the file is damaged: copy or write it again";

template <class T>
T load(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

[[noreturn]] void fail_no_record_file(std::span<const std::byte> stream, const FileKind& kind,
                                      const std::filesystem::path& file) {
  throw InputError("[tfrecord] expected TFRecords; {} ({} bytes) looks like {}; {}", file.string(),
                   stream.size(), kind.name, kind.advice);
}

[[noreturn]] void fail_truncated(std::uint64_t expected, std::uint64_t left, const RecordOrigin& origin) {
  throw InputError(
      "[tfrecord] truncated record: expected {} bytes, {} are left; at {}; {} good records before it; {}",
      expected, left, origin.text(), origin.record, kDamaged);
}

void check_crc(const char* which, std::uint32_t stored, std::span<const std::byte> bytes,
               const RecordOrigin& origin) {
  const std::uint32_t computed = mask_crc(crc32c(bytes));
  if (computed != stored)
    throw InputError(
        "[tfrecord] {} checksum mismatch: expected {:#010x} as stored, found {:#010x}; at {}; {}", which,
        stored, computed, origin.text(), kDamaged);
}

/// The length in the header at origin.byte, compared with the bytes left before anyone uses it.
std::int64_t verified_length(std::span<const std::byte> stream, const RecordOrigin& origin) {
  const auto rest = stream.subspan(static_cast<std::size_t>(origin.byte));
  if (rest.size() < kRecordHeaderBytes) fail_truncated(kRecordHeaderBytes, rest.size(), origin);
  check_crc("length", load<std::uint32_t>(rest, 8), rest.first(8), origin);
  const auto length = load<std::uint64_t>(rest, 0);
  const std::uint64_t left = rest.size() - kRecordHeaderBytes;
  if (left < kRecordFooterBytes || length > left - kRecordFooterBytes) {
    // A length near 2^64 must not overflow in the message either.
    const std::uint64_t expected =
        length > UINT64_MAX - kRecordFooterBytes ? length : length + kRecordFooterBytes;
    fail_truncated(expected, left, origin);
  }
  return static_cast<std::int64_t>(length);
}

bool has_good_header(std::span<const std::byte> stream) {
  return stream.size() >= kRecordHeaderBytes &&
         load<std::uint32_t>(stream, 8) == mask_crc(crc32c(stream.first(8)));
}

}  // namespace

std::vector<RecordReference> scan_records(std::span<const std::byte> stream,
                                          const std::filesystem::path& file) {
  if (!stream.empty() && !has_good_header(stream))
    if (const FileKind* kind = sniff_file_kind(stream)) fail_no_record_file(stream, *kind, file);

  std::vector<RecordReference> index;
  RecordOrigin origin{.file = file};
  while (static_cast<std::size_t>(origin.byte) < stream.size()) {
    const std::int64_t length = verified_length(stream, origin);
    index.push_back({.offset = origin.byte, .length = length});
    origin.byte += length + static_cast<std::int64_t>(kRecordHeaderBytes + kRecordFooterBytes);
    ++origin.record;
  }
  index.shrink_to_fit();
  return index;
}

std::span<const std::byte> verified_payload(std::span<const std::byte> stream,
                                            const RecordReference& reference, const RecordOrigin& origin) {
  const std::size_t start = static_cast<std::size_t>(reference.offset) + kRecordHeaderBytes;
  const auto length = static_cast<std::size_t>(reference.length);
  const auto payload = stream.subspan(start, length);
  check_crc("payload", load<std::uint32_t>(stream, start + length), payload, origin);
  return payload;
}

RecordFile::RecordFile(const std::filesystem::path& path)
    : file_(path), index_(scan_records(file_.bytes(), path)) {
  for (const RecordReference& reference : index_) payload_bytes_ += reference.length;
}

RecordOrigin RecordFile::origin(std::int64_t record) const {
  return {.file = path(), .record = record, .byte = reference(record).offset};
}

Record RecordFile::read(std::int64_t record) const {
  RecordOrigin where = origin(record);
  const auto payload = verified_payload(file_.bytes(), reference(record), where);
  return {.payload = payload, .origin = std::move(where)};
}

}  // namespace fastnn
