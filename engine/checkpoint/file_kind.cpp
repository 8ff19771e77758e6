#include "engine/checkpoint/file_kind.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "engine/checkpoint/files.h"
#include "engine/checkpoint/table_reader.h"

namespace fastnn {
namespace {

constexpr std::size_t kHead = 64;

std::string head_of(const ReadFile& file) {
  std::string head(std::min<std::uint64_t>(file.size(), kHead), '\0');
  file.read_at(0, std::as_writable_bytes(std::span(head)));
  return head;
}

bool is_safetensors(const ReadFile& file, std::string_view head) {
  std::uint64_t header_bytes = 0;
  if (head.size() <= sizeof header_bytes || head[sizeof header_bytes] != '{') return false;
  std::memcpy(&header_bytes, head.data(), sizeof header_bytes);
  return header_bytes <= file.size() - sizeof header_bytes;
}

bool is_text(std::string_view head) {
  return std::ranges::all_of(
      head, [](char c) { return (c >= ' ' && c < 127) || c == '\n' || c == '\r' || c == '\t'; });
}

}  // namespace

FileKind kind_of_file(const std::filesystem::path& path) {
  const ReadFile file(path);
  const std::string head = head_of(file);
  if (head.empty()) return FileKind::empty;
  if (has_table_magic(file)) return FileKind::table;
  if (head.starts_with("\x89HDF\r\n\x1a\n")) return FileKind::hdf5;
  if (head.starts_with("PK\x03\x04")) return FileKind::zip;
  if (head.starts_with("\x1f\x8b")) return FileKind::gzip;
  if (is_safetensors(file, head)) return FileKind::safetensors;
  return is_text(head) ? FileKind::text : FileKind::unknown;
}

std::string_view description_of(FileKind kind) {
  constexpr std::array<std::string_view, 8> kDescriptions = {
      "an empty file",
      "one table file, as a TensorFlow V1 checkpoint is",
      "a safetensors file",
      "an HDF5 file, as Keras saves",
      "a zip archive, as PyTorch and NumPy save",
      "a gzip-compressed file",
      "a text file",
      "a file of unknown format",
  };
  return kDescriptions[static_cast<std::size_t>(kind)];
}

}  // namespace fastnn
