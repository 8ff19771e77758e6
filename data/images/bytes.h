#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace fastnn {

/// Unsigned integer of 'count' bytes at a place that the caller knows to be inside, most significant first.
inline std::uint32_t big_endian(std::span<const std::byte> bytes, std::size_t at, int count) {
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i) value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
  return value;
}

/// The same, least significant byte first.
inline std::uint32_t little_endian(std::span<const std::byte> bytes, std::size_t at, int count) {
  std::uint32_t value = 0;
  for (int i = count - 1; i >= 0; --i) value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
  return value;
}

}  // namespace fastnn
