#include "data/images/decode.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "data/images/png.h"
#include "engine/core/error.h"

namespace fastnn {
namespace {

using namespace std::string_view_literals;

constexpr ImageFormat kFormats[] = {
    {"png", "\x89PNG\r\n\x1a\n"sv, decode_png},
    {"jpeg", "\xff\xd8\xff"sv, nullptr},
    {"gif", "GIF8?a"sv, nullptr},
    {"bmp", "BM"sv, nullptr},
    {"webp", "RIFF????WEBP"sv, nullptr},
    {"tiff", "II*\0"sv, nullptr},
    {"tiff", "MM\0*"sv, nullptr},
};

bool starts_with(std::span<const std::byte> bytes, std::string_view magic) {
  if (bytes.size() < magic.size()) return false;
  return std::equal(magic.begin(), magic.end(), bytes.begin(),
                    [](char wanted, std::byte byte) { return wanted == '?' || std::byte(wanted) == byte; });
}

std::string first_bytes(std::span<const std::byte> bytes) {
  std::vector<unsigned> head;
  for (const std::byte byte : bytes.first(std::min<std::size_t>(bytes.size(), 8)))
    head.push_back(std::to_integer<unsigned>(byte));
  return fmt::format("{:02x}", fmt::join(head, " "));
}

}  // namespace

std::span<const ImageFormat> image_formats() {
  return kFormats;
}

const ImageFormat* sniff_format(std::span<const std::byte> encoded) {
  const auto* found = std::ranges::find_if(
      kFormats, [&](const ImageFormat& format) { return starts_with(encoded, format.magic); });
  return found == std::end(kFormats) ? nullptr : found;
}

std::string decodable_formats() {
  std::vector<std::string_view> names;
  for (const ImageFormat& format : kFormats)
    if (format.decode != nullptr) names.push_back(format.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Image decode_image(std::span<const std::byte> encoded, const DecodeLimits& limits) {
  if (encoded.empty()) throw InputError("[images] the encoded image is empty: 0 bytes");
  const ImageFormat* format = sniff_format(encoded);
  if (format == nullptr)
    throw InputError("[images] not an image of a known format: {} bytes that start with {}; supported: {}",
                     encoded.size(), first_bytes(encoded), decodable_formats());
  if (format->decode == nullptr)
    throw InputError("[images] this is a {} image of {} bytes, which cannot be decoded; supported: {}",
                     format->name, encoded.size(), decodable_formats());
  return format->decode(encoded, limits);
}

}  // namespace fastnn
