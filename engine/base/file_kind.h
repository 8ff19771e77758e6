#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace fastnn {

/// What a file seems to be.
enum class FileKind {
  unknown,
  empty,
  lfs_pointer,
  html,
  gzip,
  zlib,
  zip,
  tar,
  hdf5,
  safetensors,
  png,
  jpeg,
  gif,
  bmp,
  text,
};

/// How many of a file's first bytes are looked at.
inline constexpr std::size_t kFileKindBytes = 512;

/// The kind that a file's first bytes announce. 'start' holds kFileKindBytes of them, or all if there are
/// fewer; 'file_bytes' is the size of the whole file.
FileKind kind_of_bytes(std::span<const std::byte> start, std::uint64_t file_bytes);

/// For messages, what stands after "looks like" or "is": "a git-LFS pointer", "a text file", ...
std::string_view description_of(FileKind kind);

}  // namespace fastnn
