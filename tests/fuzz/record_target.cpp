#include <cstring>
#include <vector>

#include "data/records/record_file.h"
#include "engine/base/crc32c.h"
#include "tests/fuzz/target.h"

using namespace fastnn;

namespace {

/// Makes the checksums of the lengths right, record by record as far as the lengths lead: few inputs would
/// get past them by chance. Every other input is left as it is.
std::string repaired(std::span<const std::byte> input) {
  std::string stream(fuzz::text_of(input));
  if (input.size() % 2 == 0) return stream;
  std::size_t at = 0;
  while (stream.size() - at >= kRecordHeaderBytes) {
    std::uint64_t length = 0;
    std::memcpy(&length, &stream[at], sizeof length);
    const std::uint32_t crc = mask_crc(crc32c(std::as_bytes(std::span(&stream[at], 8))));
    std::memcpy(&stream[at + 8], &crc, sizeof crc);
    const std::size_t left = stream.size() - at - kRecordHeaderBytes;
    if (left < kRecordFooterBytes || length > left - kRecordFooterBytes) break;
    at += kRecordHeaderBytes + length + kRecordFooterBytes;
  }
  return stream;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::span<const std::byte> input) {
    const std::string text = repaired(input);
    const auto stream = std::as_bytes(std::span(text));
    std::vector<std::int64_t> offsets;
    scan_records(stream, "fuzz", offsets);
    constexpr auto kFraming = static_cast<std::int64_t>(kRecordHeaderBytes + kRecordFooterBytes);
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
      verified_payload(stream, {.offset = offsets[i], .length = offsets[i + 1] - offsets[i] - kFraming},
                       {.file = "fuzz", .record = static_cast<std::int64_t>(i), .byte = offsets[i]});
  });
}
