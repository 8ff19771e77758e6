#include "engine/checkpoint/bundle_reader.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/crc32c.h"
#include "engine/base/error.h"
#include "engine/base/file_kind.h"
#include "engine/checkpoint/near_names.h"
#include "engine/checkpoint/slices.h"
#include "engine/checkpoint/table_reader.h"

namespace fastnn {
namespace {

std::string readable_types() {
  return "float, double, int32, int64, uint8";
}

// "lenet" for "lenet.index" and "lenet.data-00000-of-00001": what people give in place of the prefix.
std::filesystem::path without_bundle_suffix(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const std::size_t end = std::min(name.rfind(".index"), name.rfind(".data-"));
  return end == std::string::npos || end == 0 ? path : path.parent_path() / name.substr(0, end);
}

std::vector<std::string> prefixes_in(const std::filesystem::path& directory) {
  std::vector<std::string> prefixes;
  std::error_code ignored;
  for (const auto& file : std::filesystem::directory_iterator(directory, ignored))
    if (file.path().extension() == ".index") prefixes.push_back(file.path().stem().string());
  std::ranges::sort(prefixes);
  return prefixes;
}

FileKind kind_of(const ReadFile& file) {
  std::array<std::byte, kFileKindBytes> start;
  const auto head = std::span(start).first(std::min<std::size_t>(file.size(), start.size()));
  file.read_at(0, head);
  return kind_of_bytes(head, file.size());
}

std::string_view description_of(const ReadFile& file) {
  return has_table_magic(file) ? "one table file, as a TensorFlow V1 checkpoint is"
                               : description_of(kind_of(file));
}

std::string found_instead(const std::filesystem::path& prefix) {
  if (std::filesystem::is_regular_file(prefix)) {
    const auto shorter = without_bundle_suffix(prefix);
    if (shorter != prefix && std::filesystem::exists(bundle_index_path(shorter)))
      return fmt::format("that is one file of the bundle {}; give this prefix", shorter.string());
    return fmt::format("{} is {}; only V2 bundles are read here", prefix.string(),
                       description_of(ReadFile(prefix)));
  }
  const bool is_folder = std::filesystem::is_directory(prefix);
  const auto directory = is_folder ? prefix : directory_of(prefix);
  const auto prefixes = prefixes_in(directory);
  if (prefixes.empty()) return fmt::format("no bundle in the folder {}; check the path", directory.string());
  return fmt::format("the folder {} holds the bundles {}; give one of them", directory.string(),
                     fmt::join(prefixes, ", "));
}

}  // namespace

BundleReader::BundleReader(std::filesystem::path prefix) : prefix_(std::move(prefix)) {
  const auto path = bundle_index_path(prefix_);
  if (!std::filesystem::exists(path))
    throw InputError("[checkpoint] expected a TensorFlow V2 bundle, but there is no {}: {}", path.string(),
                     found_instead(prefix_));
  const ReadFile index(path);
  if (!has_table_magic(index) && kind_of(index) != FileKind::unknown)
    throw InputError("[checkpoint] expected the index of a TensorFlow V2 bundle, {} is {}; take another copy",
                     path.string(), description_of(index));
  read_index(index);
  for (const auto& [name, entry] : entries_) check_entry(name, entry);
}

void BundleReader::read_index(const ReadFile& index) {
  bool header_seen = false;
  read_table(index, [&](std::string_view key, std::string_view value) {
    const std::string message = fmt::format("the entry '{}' of {}", key, index.path().string());
    if (!std::exchange(header_seen, true)) {
      if (!key.empty() || value.starts_with('\n'))
        throw InputError(
            "[checkpoint] {} is a table, but its first entry is no bundle header; {}; V1 is not read here",
            index.path().string(), "is it a TensorFlow V1 checkpoint?");
      const BundleHeader header = parse_bundle_header(value, message);
      check_header(header, index.path().string());
      open_shards(header.shards);
      return;
    }
    const bool is_part = key.starts_with('\0');
    (is_part ? parts_ : entries_).emplace(key, parse_bundle_entry(value, message));
  });
  if (!header_seen)
    throw InputError("[checkpoint] {} holds no entry, not even a header; take another copy",
                     index.path().string());
}

void BundleReader::check_header(const BundleHeader& header, const std::string& where) const {
  if (header.endianness != BundleHeader::Endianness::little)
    throw InputError(
        "[checkpoint] {} says its bytes are big-endian; only little-endian bundles are read, save it again on such a machine",
        where);
  if (header.min_consumer > kBundleVersion)
    throw InputError(
        "[checkpoint] {} needs a reader of bundle version {}, this one has {}; save it with an older TensorFlow",
        where, header.min_consumer, kBundleVersion);
  if (header.shards < 1) throw InputError("[checkpoint] {} says it has no shards; take another copy", where);
}

void BundleReader::open_shards(int shards) {
  for (int shard = 0; shard < shards; ++shard) {
    auto path = bundle_data_path(prefix_, shard, shards);
    if (!std::filesystem::exists(path))
      throw InputError(
          "[checkpoint] shard {} of {} is missing: expected the file {}; copy it beside the index", shard,
          shards, path.string());
    shards_.emplace_back(std::move(path));
  }
}

std::string BundleReader::where(const std::string& name) const {
  return fmt::format("tensor '{}' of {}", name, prefix_.string());
}

void BundleReader::check_entry(const std::string& name, const BundleEntry& entry) const {
  if (!entry.slices.empty()) {
    check_slices(entry, where(name));
    for (const Slice& slice : entry.slices) check_entry(name, part_of(name, entry, slice));
    return;
  }
  if (static_cast<std::size_t>(entry.shard) >= shards_.size())
    throw InputError("[checkpoint] {} is in shard {}, there are {}; take another copy", where(name),
                     entry.shard, shards_.size());
  const ReadFile& shard = shards_[static_cast<std::size_t>(entry.shard)];
  if (entry.offset > shard.size() || entry.size > shard.size() - entry.offset)
    throw InputError(
        "[checkpoint] {} is truncated: {} lies at byte {} and has {} bytes, the file has {}; take another copy or an older checkpoint",
        shard.path().string(), where(name), entry.offset, entry.size, shard.size());
  const auto dtype = entry.dtype();
  if (!dtype) return;
  const auto elements = static_cast<std::uint64_t>(*elements_of(entry.extents));
  if (entry.size % size_of(*dtype) != 0 || entry.size / size_of(*dtype) != elements)
    throw InputError(
        "[checkpoint] {} has {} bytes, its shape {} of {} needs {} elements of {} bytes; take another copy",
        where(name), entry.size, entry.shape_text(), entry.type_name(), elements, size_of(*dtype));
}

const BundleEntry& BundleReader::part_of(const std::string& name, const BundleEntry& entry,
                                         const Slice& slice) const {
  const auto part = parts_.find(slice_key(name, slice));
  if (part == parts_.end())
    throw InputError("[checkpoint] {} has no entry for its part {}; take another copy", where(name),
                     text_of(slice));
  if (part->second.type != entry.type || part->second.extents != extents_of(slice, entry.extents) ||
      !part->second.slices.empty())
    throw InputError("[checkpoint] {}: the part {} is {} {}, the whole is {} {}; take another copy",
                     where(name), text_of(slice), part->second.type_name(), part->second.shape_text(),
                     entry.type_name(), entry.shape_text());
  return part->second;
}

void BundleReader::read_bytes(const std::string& name, const BundleEntry& entry,
                              std::span<std::byte> bytes) const {
  const ReadFile& shard = shards_[static_cast<std::size_t>(entry.shard)];
  shard.read_at(entry.offset, bytes);
  const std::uint32_t crc = crc32c(bytes);
  if (crc != entry.crc)
    throw InputError(
        "[checkpoint] wrong checksum of {} in {}, bytes {} to {}: CRC-32C {:08x} expected, got {:08x}; take another copy or an older checkpoint",
        where(name), shard.path().string(), entry.offset, entry.offset + entry.size, entry.crc, crc);
}

Tensor BundleReader::read_slices(const std::string& name, const BundleEntry& entry) const {
  Tensor whole(*entry.dtype(), Shape(entry.extents));
  for (const Slice& slice : entry.slices) {
    const BundleEntry& part = part_of(name, entry, slice);
    Tensor values(*part.dtype(), Shape(part.extents));
    read_bytes(name, part, values.bytes());
    copy_into_slice(values, slice, whole);
  }
  return whole;
}

Tensor BundleReader::read(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    std::vector<std::string> names;
    for (const auto& [known, entry] : entries_) names.push_back(known);
    const auto near = near_names(name, names);
    throw InputError("[checkpoint] no tensor '{}' among the {} of {}; {}: {}", name, entries_.size(),
                     prefix_.string(), near.empty() ? "check the name, none is like it" : "did you mean",
                     fmt::join(near, ", "));
  }
  const BundleEntry& entry = found->second;
  if (!entry.dtype())
    throw InputError(
        "[checkpoint] {} is of type {}; readable are {}; leave it out or save it as one of these",
        where(name), entry.type_name(), readable_types());
  if (entry.extents.size() > Shape::kMaxRank)
    throw InputError(
        "[checkpoint] {} has the shape {}, at most {} dimensions are read; leave it out or reshape it",
        where(name), entry.shape_text(), Shape::kMaxRank);
  if (!entry.slices.empty()) return read_slices(name, entry);
  Tensor tensor(*entry.dtype(), Shape(entry.extents));
  read_bytes(name, entry, tensor.bytes());
  return tensor;
}

}  // namespace fastnn
