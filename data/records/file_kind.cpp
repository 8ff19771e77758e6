#include "data/records/file_kind.h"

#include <algorithm>
#include <cctype>

namespace fastnn {
namespace {

constexpr std::size_t kTextProbe = 512;
constexpr std::string_view kImageAdvice = "convert the images to TFRecords first";
constexpr std::string_view kArchiveAdvice = "unpack it and name the files inside";
constexpr std::string_view kCompressedAdvice = "decompress it first";

struct Magic {
  std::size_t offset;
  std::string_view bytes;
  FileKind kind;
};

const Magic kMagics[] = {
    {0, "version https://git-lfs", {"a git-LFS pointer", "fetch the real file with 'git lfs pull'"}},
    {0, "\x1f\x8b", {"gzip-compressed data", kCompressedAdvice}},
    {0, "PK\x03\x04", {"a zip archive", kArchiveAdvice}},
    {257, "ustar", {"a tar archive", kArchiveAdvice}},
    {0, "\x89PNG\r\n\x1a\n", {"a PNG image", kImageAdvice}},
    {0, "\xff\xd8\xff", {"a JPEG image", kImageAdvice}},
    {0, "GIF8", {"a GIF image", kImageAdvice}},
    {0, "BM", {"a BMP image", kImageAdvice}},
};

const FileKind kZlib{"zlib-compressed data", kCompressedAdvice};
const FileKind kHtml{"an HTML page", "the download probably failed: fetch the file again"};
const FileKind kText{"plain text", "name a TFRecord file, or convert the data to one"};

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
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return (code >= 32 && code != 127) || c == '\n' || c == '\r' || c == '\t';
  });
}

}  // namespace

const FileKind* sniff_file_kind(std::span<const std::byte> start) {
  const std::string_view text(reinterpret_cast<const char*>(start.data()),
                              std::min(start.size(), kTextProbe));
  for (const Magic& magic : kMagics)
    if (text.size() >= magic.offset && text.substr(magic.offset).starts_with(magic.bytes)) return &magic.kind;
  if (is_zlib(text)) return &kZlib;
  if (is_html(text)) return &kHtml;
  return is_text(text) ? &kText : nullptr;
}

}  // namespace fastnn
