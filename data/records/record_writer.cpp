#include "data/records/record_writer.h"

#include <utility>

#include "engine/base/crc32c.h"
#include "engine/base/error.h"

namespace fastnn {
namespace {

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace

RecordWriter::RecordWriter(std::filesystem::path path) : file_(std::move(path)) {}

void RecordWriter::write(std::span<const std::byte> payload) {
  if (!file_.is_open())
    throw UsageError("[tfrecord] write() to {} after close() or an error; open another writer",
                     file_.path().string());
  const std::uint64_t length = payload.size();
  const std::uint32_t length_crc = mask_crc(crc32c(bytes_of(length)));
  const std::uint32_t payload_crc = mask_crc(crc32c(payload));
  file_.append(bytes_of(length));
  file_.append(bytes_of(length_crc));
  file_.append(payload);
  file_.append(bytes_of(payload_crc));
  ++records_;
}

void RecordWriter::write(std::string_view payload) {
  write(std::as_bytes(std::span(payload)));
}

}  // namespace fastnn
