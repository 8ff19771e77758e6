#include "data/records/record_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/base/crc32c.h"
#include "engine/base/error.h"
#include "engine/base/file_kind.h"

namespace fastnn {
namespace {

constexpr auto kFramingBytes = static_cast<std::int64_t>(kRecordHeaderBytes + kRecordFooterBytes);
constexpr const char* kDamaged = "the file is damaged: copy or write it again";

template <class T>
T load(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::string_view advice_for(FileKind kind) {
  switch (kind) {
    case FileKind::lfs_pointer:
      return "fetch the real file with 'git lfs pull'";
    case FileKind::html:
      return "the download probably failed: fetch the file again";
    case FileKind::gzip:
    case FileKind::zlib:
      return "decompress it first, or name a folder for its inflated copy with index_dir";
    case FileKind::zip:
    case FileKind::tar:
      return "unpack it and name the files inside";
    case FileKind::png:
    case FileKind::jpeg:
    case FileKind::gif:
    case FileKind::bmp:
      return "name the folder that holds the class folders of images, or convert the images to TFRecords";
    default:
      return "name a TFRecord file, or convert the data to one";
  }
}

/// Content that no record starts is called by its name where it has one.
void require_record_stream(std::span<const std::byte> stream, const std::filesystem::path& file) {
  if (stream.empty() || starts_with_record(stream)) return;
  const auto start = stream.first(std::min(stream.size(), kFileKindBytes));
  const FileKind kind = kind_of_bytes(start, stream.size());
  if (kind != FileKind::unknown)
    throw InputError("[tfrecord] expected TFRecords; {} ({} bytes) looks like {}; {}", file.string(),
                     stream.size(), description_of(kind), advice_for(kind));
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

}  // namespace

bool starts_with_record(std::span<const std::byte> stream) {
  return stream.size() >= kRecordHeaderBytes &&
         load<std::uint32_t>(stream, 8) == mask_crc(crc32c(stream.first(8)));
}

void scan_records(std::span<const std::byte> stream, const std::filesystem::path& file,
                  std::vector<std::int64_t>& offsets, std::atomic<std::int64_t>* scanned) {
  offsets.push_back(0);
  require_record_stream(stream, file);
  RecordOrigin origin{.file = file.native()};
  while (static_cast<std::size_t>(origin.byte) < stream.size()) {
    const std::int64_t whole = verified_length(stream, origin) + kFramingBytes;
    origin.byte += whole;
    ++origin.record;
    offsets.push_back(origin.byte);
    if (scanned != nullptr) scanned->fetch_add(whole, std::memory_order_relaxed);
  }
}

std::span<const std::byte> verified_payload(std::span<const std::byte> stream,
                                            const RecordReference& reference, const RecordOrigin& origin) {
  const std::size_t start = static_cast<std::size_t>(reference.offset) + kRecordHeaderBytes;
  const auto length = static_cast<std::size_t>(reference.length);
  const auto payload = stream.subspan(start, length);
  check_crc("payload", load<std::uint32_t>(stream, start + length), payload, origin);
  return payload;
}

RecordFile::RecordFile(const std::filesystem::path& path) : name_(path), file_(path) {
  scan_records(file_.bytes(), path, offsets_);
}

RecordFile::RecordFile(std::filesystem::path name, MappedFile file, std::vector<std::int64_t> offsets)
    : name_(std::move(name)), file_(std::move(file)), offsets_(std::move(offsets)) {}

std::int64_t RecordFile::payload_bytes() const {
  return offsets_.back() - size() * kFramingBytes;
}

RecordReference RecordFile::reference(std::int64_t record) const {
  const auto at = static_cast<std::size_t>(record);
  return {.offset = offsets_[at], .length = offsets_[at + 1] - offsets_[at] - kFramingBytes};
}

RecordOrigin RecordFile::origin(std::int64_t record) const {
  return {.file = name_.native(), .record = record, .byte = reference(record).offset};
}

Record RecordFile::read(std::int64_t record) const {
  const RecordOrigin where = origin(record);
  const auto payload = verified_payload(file_.bytes(), reference(record), where);
  return {.payload = payload, .origin = where};
}

}  // namespace fastnn
