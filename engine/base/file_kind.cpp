#include "engine/base/file_kind.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

namespace fastnn {
namespace {

struct Magic {
  std::size_t offset;
  std::string_view bytes;
  FileKind kind;
};

constexpr Magic kMagics[] = {
    {0, "version https://git-lfs", FileKind::lfs_pointer},
    {0, "\x1f\x8b", FileKind::gzip},
    {0, "PK\x03\x04", FileKind::zip},
    {257, "ustar", FileKind::tar},
    {0, "\x89HDF\r\n\x1a\n", FileKind::hdf5},
    {0, "\x89PNG\r\n\x1a\n", FileKind::png},
    {0, "\xff\xd8\xff", FileKind::jpeg},
    {0, "GIF8", FileKind::gif},
    {0, "BM", FileKind::bmp},
};

/// A header of JSON after its length, which the file must hold.
bool is_safetensors(std::string_view text, std::uint64_t file_bytes) {
  std::uint64_t header_bytes = 0;
  if (text.size() <= sizeof header_bytes || text[sizeof header_bytes] != '{') return false;
  std::memcpy(&header_bytes, text.data(), sizeof header_bytes);
  return header_bytes <= file_bytes - sizeof header_bytes;
}

/// RFC 1950: deflate with a 32 KiB window, and a header that is a multiple of 31.
bool is_zlib(std::string_view text) {
  if (text.size() < 2 || text[0] != '\x78') return false;
  return (0x78 * 256 + static_cast<unsigned char>(text[1])) % 31 == 0;
}

bool starts_with_ignoring_case(std::string_view text, std::string_view lower_case) {
  return text.size() >= lower_case.size() &&
         std::equal(lower_case.begin(), lower_case.end(), text.begin(), [](char expected, char c) {
           return expected == std::tolower(static_cast<unsigned char>(c));
         });
}

bool is_html(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return false;
  text.remove_prefix(start);
  return starts_with_ignoring_case(text, "<!doctype html") || starts_with_ignoring_case(text, "<html");
}

/// Bytes above 127 pass: UTF-8 and the older code pages are text too.
bool is_text(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return (code >= 32 && code != 127) || c == '\n' || c == '\r' || c == '\t';
  });
}

}  // namespace

FileKind kind_of_bytes(std::span<const std::byte> start, std::uint64_t file_bytes) {
  const std::string_view text(reinterpret_cast<const char*>(start.data()),
                              std::min(start.size(), kFileKindBytes));
  if (text.empty()) return FileKind::empty;
  for (const Magic& magic : kMagics)
    if (text.size() >= magic.offset && text.substr(magic.offset).starts_with(magic.bytes)) return magic.kind;
  if (is_safetensors(text, file_bytes)) return FileKind::safetensors;
  if (is_zlib(text)) return FileKind::zlib;
  if (is_html(text)) return FileKind::html;
  return is_text(text) ? FileKind::text : FileKind::unknown;
}

std::string_view description_of(FileKind kind) {
  constexpr std::array<std::string_view, 15> kDescriptions = {
      "a file of unknown format",
      "an empty file",
      "a git-LFS pointer",
      "an HTML page",
      "a gzip-compressed file",
      "a zlib-compressed file",
      "a zip archive",
      "a tar archive",
      "an HDF5 file, as Keras saves",
      "a safetensors file",
      "a PNG image",
      "a JPEG image",
      "a GIF image",
      "a BMP image",
      "a text file",
  };
  return kDescriptions[static_cast<std::size_t>(kind)];
}

}  // namespace fastnn
