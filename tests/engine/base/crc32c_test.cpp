#include "engine/base/crc32c.h"

#include <array>
#include <random>
#include <string>

#include "tests/support/catch.h"

using namespace fastnn;

namespace {

std::uint32_t bit_by_bit(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0x82F63B78U : 0);
  }
  return ~crc;
}

std::string random_bytes(std::size_t size) {
  std::mt19937 random(7);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

}  // namespace

TEST_CASE("crc32c: the vectors of RFC 3720") {
  std::string ascending;
  for (int i = 0; i < 32; ++i) ascending.push_back(static_cast<char>(i));
  CHECK(crc32c(std::string(32, '\0')) == 0x8a9136aa);
  CHECK(crc32c(std::string(32, '\xff')) == 0x62a8ab43);
  CHECK(crc32c(ascending) == 0x46dd794e);
  CHECK(crc32c("123456789") == 0xe3069283);
  CHECK(crc32c("") == 0);
}

TEST_CASE("crc32c: every length and alignment equals the bitwise definition") {
  const std::string bytes = random_bytes(60000);
  for (std::size_t size : {1, 7, 8, 9, 255, 767, 768, 769, 776, 1541, 24575, 24576, 24577, 25344, 50001})
    for (std::size_t start : {0, 1, 3, 8}) {
      const auto part = std::string_view(bytes).substr(start, size);
      INFO("size " << size << ", start " << start);
      CHECK(crc32c(part) == bit_by_bit(part));
    }
}

TEST_CASE("crc32c: parts chain through the seed") {
  const std::string bytes = random_bytes(30000);
  const std::string_view all = bytes;
  for (std::size_t cut : {0, 1, 1000, 29999, 30000})
    CHECK(crc32c(all.substr(cut), crc32c(all.substr(0, cut))) == crc32c(all));
}

TEST_CASE("crc32c: masking is undone by unmasking") {
  CHECK(mask_crc(0) == 0xa282ead8);
  CHECK(mask_crc(0xba359e4c) == 0xdf1c5f43);  // global_step of golden/checkpoints/small_v2
  for (std::uint32_t crc : {0U, 1U, 0xffffffffU, 0x12345678U}) CHECK(unmask_crc(mask_crc(crc)) == crc);
}
