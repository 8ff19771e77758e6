#include "data/images/bmp.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "data/images/bytes.h"
#include "engine/base/error.h"

namespace fastnn {
namespace {

// A file header of 14 bytes, an info header of at least 40, masks or a palette, rows.
constexpr std::size_t kDataOffset = 10, kInfoSize = 14, kWidth = 18, kHeight = 22, kBits = 28,
                      kCompression = 30, kColors = 46, kInfoEnd = 54;
constexpr std::uint32_t kUncompressed = 0, kBitFields = 3;

using Palette = std::array<std::array<std::uint8_t, 3>, 256>;

InputError cut_short(std::span<const std::byte> encoded) {
  return InputError("[images] bmp of {} bytes is cut short", encoded.size());
}

bool has_usual_masks(std::span<const std::byte> encoded) {
  return encoded.size() >= kInfoEnd + 12 && little_endian(encoded, kInfoEnd, 4) == 0x00ff0000 &&
         little_endian(encoded, kInfoEnd + 4, 4) == 0x0000ff00 &&
         little_endian(encoded, kInfoEnd + 8, 4) == 0x000000ff;
}

int checked_bits(std::span<const std::byte> encoded) {
  const std::uint32_t bits = little_endian(encoded, kBits, 2);
  const std::uint32_t compression = little_endian(encoded, kCompression, 4);
  const bool known = bits == 1 || bits == 4 || bits == 8 || bits == 24 || bits == 32;
  const bool plain =
      compression == kUncompressed || (compression == kBitFields && bits == 32 && has_usual_masks(encoded));
  if (!known || !plain)
    throw InputError(
        "[images] expected an uncompressed bmp of 1, 4, 8, 24 or 32 bits a pixel; this one has {} bits and compression {}; convert it to png",
        bits, compression);
  return static_cast<int>(bits);
}

/// Colours as RGB; black beyond the end of the stored ones.
Palette read_palette(std::span<const std::byte> encoded, int bits) {
  Palette palette{};
  const std::size_t start = kInfoSize + std::size_t{little_endian(encoded, kInfoSize, 4)};
  const std::uint32_t most = 1U << bits;
  const std::uint32_t stored = little_endian(encoded, kColors, 4);
  const std::uint32_t count = stored == 0 ? most : std::min(stored, most);
  if (start > encoded.size() || encoded.size() - start < std::size_t{4} * count) throw cut_short(encoded);
  for (std::uint32_t i = 0; i < count; ++i)
    for (int c = 0; c < 3; ++c) palette[i][c] = std::to_integer<std::uint8_t>(encoded[start + 4 * i + 2 - c]);
  return palette;
}

void copy_true_color(std::span<const std::byte> row, int bits, int left, std::span<std::uint8_t> target) {
  const std::size_t bytes = bits / 8;
  for (std::size_t x = 0; x < target.size() / 3; ++x)
    for (int c = 0; c < 3; ++c)
      target[3 * x + c] = std::to_integer<std::uint8_t>(row[(left + x) * bytes + 2 - c]);
}

void copy_indexed(std::span<const std::byte> row, int bits, int left, const Palette& palette,
                  std::span<std::uint8_t> target) {
  for (std::size_t x = 0; x < target.size() / 3; ++x) {
    const std::size_t bit = (left + x) * bits;
    const unsigned byte = std::to_integer<unsigned>(row[bit / 8]);
    const unsigned index = byte >> (8 - bits - bit % 8) & ((1U << bits) - 1);
    std::copy_n(palette[index].begin(), 3, target.begin() + 3 * x);
  }
}

}  // namespace

ImageHeader read_bmp_header(std::span<const std::byte> encoded) {
  if (encoded.size() < kInfoEnd) throw cut_short(encoded);
  const std::uint32_t info = little_endian(encoded, kInfoSize, 4);
  if (info < kInfoEnd - kInfoSize)
    throw InputError(
        "[images] expected a bmp with an info header of at least 40 bytes, got {}; convert it to png", info);
  const auto width = static_cast<std::int32_t>(little_endian(encoded, kWidth, 4));
  const auto height = static_cast<std::int32_t>(little_endian(encoded, kHeight, 4));
  return {.height = height == INT32_MIN ? 0 : std::abs(height), .width = width};
}

void decode_bmp(std::span<const std::byte> encoded, const DecodeRequest& request, Image& out) {
  const int bits = checked_bits(encoded);
  const Palette palette = bits <= 8 ? read_palette(encoded, bits) : Palette{};
  const std::size_t row_bytes = (std::size_t(request.header.width) * bits + 31) / 32 * 4;
  const std::size_t start = little_endian(encoded, kDataOffset, 4);
  if (start > encoded.size() || encoded.size() - start < row_bytes * request.header.height)
    throw cut_short(encoded);
  const bool from_the_top = static_cast<std::int32_t>(little_endian(encoded, kHeight, 4)) < 0;
  const Rectangle& part = request.part;
  out.reshape(part.height, part.width, 3);
  for (int y = 0; y < part.height; ++y) {
    const int shown = part.top + y;
    const int stored = from_the_top ? shown : request.header.height - 1 - shown;
    const auto row = encoded.subspan(start + stored * row_bytes, row_bytes);
    if (bits <= 8)
      copy_indexed(row, bits, part.left, palette, out.row(y));
    else
      copy_true_color(row, bits, part.left, out.row(y));
  }
}

}  // namespace fastnn
