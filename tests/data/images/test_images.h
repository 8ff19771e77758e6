#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/images/image.h"

namespace fastnn::tests {

/// Plain (unmasked) CRC-32C, bit by bit: the golden files' checksum of decoded pixels.
inline std::uint32_t plain_crc32c(std::span<const std::uint8_t> bytes) {
  std::uint32_t crc = ~0U;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78U : 0U);
  }
  return ~crc;
}

inline std::vector<std::byte> file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open " + path.string());
  const std::vector<char> chars((std::istreambuf_iterator<char>(file)), {});
  const auto bytes = std::as_bytes(std::span(chars));
  return {bytes.begin(), bytes.end()};
}

/// Pixels that differ everywhere: value = 7 y + 31 x + 101 c, modulo 256.
inline Image ramp_image(int height, int width, int channels) {
  Image image(height, width, channels);
  auto pixels = image.pixels();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c)
        pixels[(std::size_t(y) * width + x) * channels + c] = std::uint8_t(7 * y + 31 * x + 101 * c);
  return image;
}

}  // namespace fastnn::tests
