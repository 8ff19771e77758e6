#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace fastnn {

/// What a file that is no TFRecord seems to be, and what to do about it.
struct FileKind {
  std::string_view name;
  std::string_view advice;
};

/// Looks at the first bytes of a file; nullptr if they look like nothing known. Knows git-LFS pointers, HTML,
/// gzip, zlib, zip, tar, PNG, JPEG, GIF, BMP images and plain text.
const FileKind* sniff_file_kind(std::span<const std::byte> start);

}  // namespace fastnn
