#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace fastnn {

struct InflateOptions {
  /// Most bytes that may come out: a small file can announce more than any disk holds.
  std::int64_t max_bytes = std::int64_t{1} << 40;
};

/// Whether the bytes are a gzip or zlib stream. A TFRecord can look like one: look for its header first.
bool is_compressed(std::span<const std::byte> stream);

/// Inflates a gzip stream (of one or several members) or a zlib stream into a file that appears complete or
/// not at all, and returns its bytes. zlib verifies the stream's own checksums.
/// Throws InputError naming 'source', the byte of it and the reason if the stream is cut short, damaged,
/// followed by other bytes, or longer than the limit; EnvironmentError if the disk refuses, as when it is
/// full.
std::int64_t inflate_to_file(std::span<const std::byte> stream, const std::filesystem::path& source,
                             const std::filesystem::path& target, const InflateOptions& options = {});

}  // namespace fastnn
