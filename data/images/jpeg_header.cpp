#include "data/images/jpeg_header.h"

#include <algorithm>
#include <string_view>

#include "data/images/bytes.h"
#include "engine/base/error.h"

namespace fastnn {
namespace {

using namespace std::string_view_literals;

constexpr int kScan = 0xda, kEndOfImage = 0xd9, kApp1 = 0xe1;
constexpr std::uint32_t kOrientationTag = 0x0112, kTypeShort = 3;

/// Frame headers are 0xc0 .. 0xcf without the tables (c4, cc) and the reserved c8.
bool is_frame_header(int marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

/// Markers without a length: TEM, the restarts and the start of the image.
bool stands_alone(int marker) {
  return marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/// Moves 'at' behind the next marker, over bytes that belong to none as libjpeg does; 0 if there is none.
int next_marker(std::span<const std::byte> bytes, std::size_t& at) {
  while (at + 1 < bytes.size()) {
    const int first = std::to_integer<int>(bytes[at++]);
    const int second = std::to_integer<int>(bytes[at]);
    if (first != 0xff || second == 0xff || second == 0) continue;
    ++at;
    return second;
  }
  return 0;
}

bool starts_with(std::span<const std::byte> bytes, std::string_view text) {
  return bytes.size() >= text.size() && std::equal(text.begin(), text.end(), bytes.begin(),
                                                   [](char c, std::byte b) { return std::byte(c) == b; });
}

}  // namespace

ImageHeader read_jpeg_header(std::span<const std::byte> encoded) {
  ImageHeader header;
  bool exif_seen = false;
  std::size_t at = 2;
  for (int marker = next_marker(encoded, at); marker != 0; marker = next_marker(encoded, at)) {
    if (stands_alone(marker)) continue;
    if (marker == kScan || marker == kEndOfImage || encoded.size() - at < 2) break;
    const std::size_t length = big_endian(encoded, at, 2);
    const auto body = encoded.subspan(at, std::min(length, encoded.size() - at));
    if (is_frame_header(marker) && body.size() >= 7) {
      header.height = static_cast<int>(big_endian(body, 3, 2));
      header.width = static_cast<int>(big_endian(body, 5, 2));
      return header;
    }
    if (marker == kApp1 && !exif_seen && body.size() > 8 && starts_with(body.subspan(2), "Exif\0\0"sv)) {
      header.orientation = exif_orientation(body.subspan(8));
      exif_seen = true;
    }
    at += body.size();
  }
  throw InputError("[images] jpeg of {} bytes has no frame header: it is damaged or cut short",
                   encoded.size());
}

int exif_orientation(std::span<const std::byte> tiff) {
  const bool little = starts_with(tiff, "II*\0"sv);
  if (tiff.size() < 8 || (!little && !starts_with(tiff, "MM\0*"sv))) return 1;
  const auto number = [&](std::size_t at, int count) {
    return little ? little_endian(tiff, at, count) : big_endian(tiff, at, count);
  };
  const std::size_t directory = number(4, 4);
  if (directory > tiff.size() - 2) return 1;
  const std::size_t entries = std::min<std::size_t>(number(directory, 2), (tiff.size() - directory - 2) / 12);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + 12 * i;
    if (number(entry, 2) != kOrientationTag) continue;
    const std::uint32_t value = number(entry + 8, 2);
    return number(entry + 2, 2) == kTypeShort && value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

}  // namespace fastnn
