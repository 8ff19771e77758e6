#include "data/records/crc32c.h"

#include <nmmintrin.h>

#include <array>
#include <cstring>

namespace fastnn {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78;
constexpr std::uint32_t kX8 = 1U << 23;  // x^8; bit 31 is x^0

/// a * b modulo the polynomial.
constexpr std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
  std::uint32_t product = 0;
  for (; a != 0; a <<= 1) {
    if ((a >> 31) != 0) product ^= b;
    b = (b & 1) != 0 ? (b >> 1) ^ kPolynomial : b >> 1;
  }
  return product;
}

/// x^(8 * bytes) modulo the polynomial.
constexpr std::uint32_t power_of_bytes(std::size_t bytes) {
  std::uint32_t power = 1U << 31;
  for (std::uint32_t square = kX8; bytes != 0; bytes >>= 1, square = multiply(square, square))
    if ((bytes & 1) != 0) power = multiply(power, square);
  return power;
}

using ShiftTable = std::array<std::array<std::uint32_t, 256>, 4>;

/// What 'bytes' zero bytes make of each byte of a CRC register; the register's result is the sum of the four.
constexpr ShiftTable shift_table(std::size_t bytes) {
  ShiftTable table{};
  const std::uint32_t power = power_of_bytes(bytes);
  for (unsigned place = 0; place < 4; ++place)
    for (unsigned value = 1; value < 256; ++value) {
      const unsigned rest = value & (value - 1);
      table[place][value] =
          rest == 0 ? multiply(power, value << (8 * place)) : table[place][rest] ^ table[place][value ^ rest];
    }
  return table;
}

template <std::size_t kBytes>
constexpr ShiftTable kShift = shift_table(kBytes);

template <std::size_t kBytes>
std::uint64_t shift(std::uint64_t crc) {
  return kShift<kBytes>[0][crc & 255] ^ kShift<kBytes>[1][crc >> 8 & 255] ^
         kShift<kBytes>[2][crc >> 16 & 255] ^ kShift<kBytes>[3][crc >> 24];
}

std::uint64_t load(const std::byte* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

/// Consumes as many groups of three lanes as there are.
template <std::size_t kLane>
std::uint64_t three_lanes(std::uint64_t crc, std::span<const std::byte>& bytes) {
  while (bytes.size() >= 3 * kLane) {
    const std::byte* lane = bytes.data();
    std::uint64_t second = 0;
    std::uint64_t third = 0;
    for (std::size_t i = 0; i < kLane; i += 8) {
      crc = _mm_crc32_u64(crc, load(lane + i));
      second = _mm_crc32_u64(second, load(lane + kLane + i));
      third = _mm_crc32_u64(third, load(lane + 2 * kLane + i));
    }
    crc = shift<kLane>(shift<kLane>(crc) ^ second) ^ third;
    bytes = bytes.subspan(3 * kLane);
  }
  return crc;
}

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t crc) {
  std::uint64_t state = ~crc;
  state = three_lanes<4096>(state, bytes);
  state = three_lanes<256>(state, bytes);
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) state = _mm_crc32_u64(state, load(bytes.data()));
  auto tail = static_cast<std::uint32_t>(state);
  for (const std::byte byte : bytes) tail = _mm_crc32_u8(tail, std::to_integer<unsigned char>(byte));
  return ~tail;
}

}  // namespace fastnn
