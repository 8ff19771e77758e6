#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace fastnn {

/// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78) of the bytes; crc32c("123456789") = 0xE3069283.
/// 'crc' continues an earlier result: crc32c(b, crc32c(a)) = crc32c(a followed by b).
/// Uses the SSE4.2 instruction in three interleaved lanes, which hides its latency of three cycles.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t crc = 0);

/// The form in which TFRecords store a CRC: rotated right by 15 bits plus a constant, so that the CRC of data
/// that itself holds CRCs stays strong.
constexpr std::uint32_t mask_crc(std::uint32_t crc) {
  return std::rotr(crc, 15) + 0xA282EAD8U;
}

constexpr std::uint32_t unmask_crc(std::uint32_t masked) {
  return std::rotl(masked - 0xA282EAD8U, 15);
}

}  // namespace fastnn
