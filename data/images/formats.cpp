#include "data/images/formats.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "data/images/bmp.h"
#include "data/images/gif.h"
#include "data/images/jpeg.h"
#include "data/images/jpeg_header.h"
#include "data/images/png.h"

namespace fastnn {
namespace {

using namespace std::string_view_literals;

constexpr ImageFormat kFormats[] = {
    {"png", "\x89PNG\r\n\x1a\n"sv, read_png_header, decode_png},
    {"jpeg", "\xff\xd8\xff"sv, read_jpeg_header, decode_jpeg},
    {"gif", "GIF8?a"sv, read_gif_header, decode_gif},
    {"bmp", "BM"sv, read_bmp_header, decode_bmp},
    {"webp", "RIFF????WEBP"sv, nullptr, nullptr},
    {"tiff", "II*\0"sv, nullptr, nullptr},
    {"tiff", "MM\0*"sv, nullptr, nullptr},
};

bool starts_with(std::span<const std::byte> bytes, std::string_view magic) {
  if (bytes.size() < magic.size()) return false;
  return std::equal(magic.begin(), magic.end(), bytes.begin(),
                    [](char wanted, std::byte byte) { return wanted == '?' || std::byte(wanted) == byte; });
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

}  // namespace fastnn
