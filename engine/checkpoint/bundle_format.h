#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/dtype.h"

namespace fastnn {

// The V2 bundle of TensorFlow: PREFIX.index is a sorted table; its key "" holds the header, every other key
// is the name of a tensor and holds where its bytes lie in the files PREFIX.data-NNNNN-of-NNNNN
// (little-endian, row-major). Messages: tensorflow/core/protobuf/tensor_bundle.proto.

/// Part of one dimension.
struct SliceExtent {
  static constexpr std::int64_t kWhole = -1;
  std::int64_t start = 0;
  std::int64_t length = kWhole;
};

/// A part of a partitioned tensor, one extent per dimension.
using Slice = std::vector<SliceExtent>;

/// What the index says of one tensor.
struct BundleEntry {
  /// TensorFlow's DataType number.
  int type = 0;
  std::vector<std::int64_t> extents;
  int shard = 0;
  /// Byte of the shard's file, and bytes.
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  /// Of the tensor's bytes, not masked.
  std::uint32_t crc = 0;
  /// Not empty for a partitioned tensor, whose bytes lie in entries of their own.
  std::vector<Slice> slices;

  /// The engine's type; nothing if the engine has none, as for strings.
  std::optional<Dtype> dtype() const;
  /// TensorFlow's name of the type: "float", "string", "bfloat16", ...
  std::string type_name() const;
  /// "[3,3,64,128]"
  std::string shape_text() const;
};

struct BundleHeader {
  enum class Endianness { little = 0, big = 1 };
  int shards = 1;
  Endianness endianness = Endianness::little;
  int producer = 0;
  int min_consumer = 0;
};

/// The version of the format that this code reads and writes.
inline constexpr int kBundleVersion = 1;

/// Decode the messages; 'where' names the message in errors. Throw InputError for damage and for numbers out
/// of range (negative extents, more elements than fit 63 bits).
BundleHeader parse_bundle_header(std::string_view message, const std::string& where);
BundleEntry parse_bundle_entry(std::string_view message, const std::string& where);

/// Encode the messages exactly as TensorFlow does. The entry's slices are not written.
std::string encode_bundle_header(const BundleHeader& header);
std::string encode_bundle_entry(const BundleEntry& entry);

/// TensorFlow's DataType number of an engine type.
int bundle_type_of(Dtype dtype);

/// Product of the extents; nothing if that of those that are not zero does not fit 63 bits.
std::optional<std::int64_t> elements_of(const std::vector<std::int64_t>& extents);

/// Key of one part of a partitioned tensor in the index: ordered code of 0, the name, the rank, and start and
/// length of every dimension (tensorflow/core/util/saved_tensor_slice_util.cc, EncodeTensorNameSlice).
std::string slice_key(std::string_view name, const Slice& slice);

/// prefix + ".index"
std::filesystem::path bundle_index_path(const std::filesystem::path& prefix);
/// prefix + ".data-00000-of-00001"
std::filesystem::path bundle_data_path(const std::filesystem::path& prefix, int shard, int shards);

}  // namespace fastnn
