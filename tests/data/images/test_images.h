#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
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

inline std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// A JPEG with an EXIF block behind its first marker that holds nothing but the orientation.
inline std::vector<std::byte> with_orientation(std::span<const std::byte> jpeg, int orientation) {
  std::string exif(
      "\xff\xd8\xff\xe1\0\x22"
      "Exif\0\0"
      "MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0?\0\0\0\0\0\0",
      38);
  exif[exif.find('?')] = static_cast<char>(orientation);
  std::vector<std::byte> turned = bytes_of(exif);
  turned.insert(turned.end(), jpeg.begin() + 2, jpeg.end());
  return turned;
}

inline bool same_image(const Image& a, const Image& b) {
  return a.height() == b.height() && a.width() == b.width() && a.channels() == b.channels() &&
         std::ranges::equal(a.pixels(), b.pixels());
}

/// The pixels of a part of an image.
inline Image part_of(const Image& image, const Rectangle& part) {
  Image out(part.height, part.width, image.channels());
  for (int y = 0; y < part.height; ++y)
    std::ranges::copy(
        image.row(part.top + y).subspan(std::size_t(part.left) * image.channels(), out.row_bytes()),
        out.row(y).begin());
  return out;
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
