#include "engine/base/crc32c.h"

#include <nmmintrin.h>

#include <array>
#include <cstring>

namespace fastnn {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78;

// In the reflected order bit 31 is x^0, so multiplying by x is a shift to the right.
constexpr std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
  std::uint32_t product = 0;
  for (std::uint32_t bit = 1U << 31; bit != 0; bit >>= 1) {
    if (a & bit) product ^= b;
    b = (b >> 1) ^ (b & 1 ? kPolynomial : 0);
  }
  return product;
}

constexpr std::uint32_t x_to_bytes(std::size_t bytes) {
  std::uint32_t power = 1U << 31;
  for (std::uint32_t square = 1U << 23; bytes != 0; bytes >>= 1, square = multiply(square, square))
    if (bytes & 1) power = multiply(power, square);
  return power;
}

// Carries a checksum over Length bytes of zeros: multiplication by x^(8 Length), one table per byte.
template <std::size_t Length>
class ZeroShift {
 public:
  constexpr ZeroShift() {
    const std::uint32_t power = x_to_bytes(Length);
    for (std::uint32_t byte = 0; byte < 4; ++byte)
      for (std::uint32_t value = 1; value < 256; ++value) {
        const std::uint32_t rest = value & (value - 1);
        tables_[byte][value] = rest == 0 ? multiply(value << 8 * byte, power)
                                         : tables_[byte][rest] ^ tables_[byte][value ^ rest];
      }
  }

  std::uint32_t operator()(std::uint32_t crc) const {
    return tables_[0][crc & 255] ^ tables_[1][(crc >> 8) & 255] ^ tables_[2][(crc >> 16) & 255] ^
           tables_[3][crc >> 24];
  }

 private:
  std::array<std::array<std::uint32_t, 256>, 4> tables_{};
};

// The instruction takes 3 cycles and can start every cycle: three streams keep it busy. Long blocks make the
// joining cheap, short ones serve what is left.
constexpr std::size_t kLongBlock = 8192;
constexpr std::size_t kShortBlock = 256;
constexpr ZeroShift<kLongBlock> kLongShift;
constexpr ZeroShift<kShortBlock> kShortShift;

std::uint64_t step(std::uint64_t crc, const std::byte* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return _mm_crc32_u64(crc, word);
}

template <std::size_t Length>
std::uint32_t three_streams(std::uint32_t crc, std::span<const std::byte>& bytes,
                            const ZeroShift<Length>& shift) {
  for (; bytes.size() >= 3 * Length; bytes = bytes.subspan(3 * Length)) {
    std::uint64_t a = crc, b = 0, c = 0;
    for (std::size_t i = 0; i < Length; i += 8) {
      a = step(a, bytes.data() + i);
      b = step(b, bytes.data() + i + Length);
      c = step(c, bytes.data() + i + 2 * Length);
    }
    crc = shift(shift(static_cast<std::uint32_t>(a)) ^ static_cast<std::uint32_t>(b)) ^
          static_cast<std::uint32_t>(c);
  }
  return crc;
}

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t seed) {
  std::uint32_t crc = three_streams(~seed, bytes, kLongShift);
  crc = three_streams(crc, bytes, kShortShift);
  for (; bytes.size() >= 8; bytes = bytes.subspan(8))
    crc = static_cast<std::uint32_t>(step(crc, bytes.data()));
  for (const std::byte byte : bytes) crc = _mm_crc32_u8(crc, static_cast<unsigned char>(byte));
  return ~crc;
}

std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed) {
  return crc32c(std::as_bytes(std::span(bytes)), seed);
}

}  // namespace fastnn
