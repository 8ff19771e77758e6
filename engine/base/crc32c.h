#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace fastnn {

/// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78, as in RFC 3720) of bytes, with the SSE4.2
/// instruction on three interleaved streams. 'seed' is the checksum of what came before: crc32c(b, crc32c(a))
/// == crc32c(a followed by b).
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t seed = 0);
std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed = 0);

/// Checksums that TFRecord, table and bundle files store are rotated and shifted, so that the checksum of
/// data that holds its own checksum stays useful.
constexpr std::uint32_t mask_crc(std::uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
}
constexpr std::uint32_t unmask_crc(std::uint32_t masked) {
  const std::uint32_t rotated = masked - 0xa282ead8U;
  return (rotated >> 17) | (rotated << 15);
}

}  // namespace fastnn
