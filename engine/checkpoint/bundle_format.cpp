#include "engine/checkpoint/bundle_format.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "engine/base/crc32c.h"
#include "engine/base/error.h"
#include "engine/base/wire.h"
#include "engine/checkpoint/files.h"

namespace fastnn {
namespace {

struct TypeName {
  std::string_view name;
  std::optional<Dtype> dtype;
};

// By TensorFlow's DataType number.
constexpr std::array<TypeName, 24> kTypes = {{
    {"invalid", {}},      {"float", Dtype::f32}, {"double", Dtype::f64}, {"int32", Dtype::s32},
    {"uint8", Dtype::u8}, {"int16", {}},         {"int8", {}},           {"string", {}},
    {"complex64", {}},    {"int64", Dtype::s64}, {"bool", {}},           {"qint8", {}},
    {"quint8", {}},       {"qint32", {}},        {"bfloat16", {}},       {"qint16", {}},
    {"quint16", {}},      {"uint16", {}},        {"complex128", {}},     {"half", {}},
    {"resource", {}},     {"variant", {}},       {"uint32", {}},         {"uint64", {}},
}};

const TypeName* find_type(int type) {
  return type >= 0 && type < static_cast<int>(kTypes.size()) ? &kTypes[type] : nullptr;
}

[[noreturn]] void damaged(const std::string& where, std::string_view what) {
  throw InputError("[checkpoint] {} is damaged: {}; take another copy or an older checkpoint", where, what);
}

template <class Visit>
void each_field(std::string_view message, const std::string& where, Visit visit) {
  WireReader reader(message);
  while (reader.next()) visit(reader);
  if (!reader.fault().empty())
    damaged(where, fmt::format("{} at byte {} of its message", reader.fault(), reader.position()));
}

int small_number(WireReader& reader, const std::string& where) {
  const std::uint64_t value = reader.varint();
  if (value > std::numeric_limits<int>::max())
    damaged(where, fmt::format("field {} is {}", reader.field(), static_cast<std::int64_t>(value)));
  return static_cast<int>(value);
}

std::int64_t not_negative(WireReader& reader, const std::string& where) {
  const auto value = static_cast<std::int64_t>(reader.varint());
  if (value < 0) damaged(where, fmt::format("field {} is {}", reader.field(), value));
  return value;
}

std::vector<std::int64_t> parse_shape(std::string_view message, const std::string& where) {
  std::vector<std::int64_t> extents;
  each_field(message, where, [&](WireReader& reader) {
    if (reader.field() == 3 && reader.varint() != 0) damaged(where, "the shape is unknown");
    if (reader.field() != 2) return;
    extents.push_back(0);
    each_field(reader.bytes(), where, [&](WireReader& dimension) {
      if (dimension.field() == 1) extents.back() = not_negative(dimension, where);
    });
  });
  if (!elements_of(extents))
    damaged(where, fmt::format("no tensor can have the shape [{}]", fmt::join(extents, ",")));
  return extents;
}

SliceExtent parse_extent(std::string_view message, const std::string& where) {
  SliceExtent extent;
  each_field(message, where, [&](WireReader& reader) {
    if (reader.field() == 1) extent.start = not_negative(reader, where);
    if (reader.field() == 2) extent.length = not_negative(reader, where);
  });
  return extent.length == SliceExtent::kWhole ? SliceExtent{} : extent;
}

Slice parse_slice(std::string_view message, const std::string& where) {
  Slice slice;
  each_field(message, where, [&](WireReader& reader) {
    if (reader.field() == 1) slice.push_back(parse_extent(reader.bytes(), where));
  });
  return slice;
}

std::string big_endian(std::uint64_t value) {
  std::string bytes(sizeof value, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[bytes.size() - 1 - i] = static_cast<char>(value >> (8 * i));
  return bytes;
}

// A number is its bytes, most significant first and none of them zero in front, after their count.
void append_ordered(std::string& key, std::uint64_t value) {
  const int bytes = (std::bit_width(value) + 7) / 8;
  key.push_back(static_cast<char>(bytes));
  key.append(big_endian(value), sizeof value - static_cast<std::size_t>(bytes));
}

// Text ends with 00 01; its own bytes 00 and ff become 00 ff and ff 00.
void append_ordered(std::string& key, std::string_view text) {
  for (const char c : text) {
    key.push_back(c);
    if (c == '\0') key.push_back('\xff');
    if (c == '\xff') key.push_back('\0');
  }
  key.append("\0\1", 2);
}

// A signed number of n bytes has 7n - 1 bits and its sign; the front bits tell n: n ones and a zero before a
// number that is not negative, their complement before a negative one.
void append_ordered_signed(std::string& key, std::int64_t value) {
  const auto magnitude = static_cast<std::uint64_t>(value < 0 ? ~value : value);
  const auto length = static_cast<std::size_t>(std::bit_width(magnitude) / 7 + 1);
  std::string bytes =
      std::string(2, value < 0 ? '\xff' : '\0') + big_endian(static_cast<std::uint64_t>(value));
  bytes.erase(0, bytes.size() - length);
  const unsigned front = (0xffffU << (16 - length)) & 0xffffU;
  bytes[0] = static_cast<char>(bytes[0] ^ static_cast<char>(front >> 8));
  if (length > 1) bytes[1] = static_cast<char>(bytes[1] ^ static_cast<char>(front & 0xff));
  key.append(bytes);
}

std::string encode_shape(const std::vector<std::int64_t>& extents) {
  WireWriter shape;
  for (const std::int64_t extent : extents) {
    WireWriter dimension;
    if (extent != 0) dimension.varint(1, static_cast<std::uint64_t>(extent));
    shape.bytes(2, dimension.message());
  }
  return shape.message();
}

}  // namespace

std::optional<Dtype> BundleEntry::dtype() const {
  const TypeName* known = find_type(type);
  return known != nullptr ? known->dtype : std::nullopt;
}

std::string BundleEntry::type_name() const {
  const TypeName* known = find_type(type);
  return known != nullptr ? std::string(known->name) : fmt::format("type {}", type);
}

std::string BundleEntry::shape_text() const {
  return fmt::format("[{}]", fmt::join(extents, ","));
}

BundleHeader parse_bundle_header(std::string_view message, const std::string& where) {
  BundleHeader header{.shards = 0};
  each_field(message, where, [&](WireReader& reader) {
    if (reader.field() == 1) header.shards = small_number(reader, where);
    if (reader.field() == 2) header.endianness = BundleHeader::Endianness{small_number(reader, where)};
    if (reader.field() == 3)
      each_field(reader.bytes(), where, [&](WireReader& version) {
        if (version.field() == 1) header.producer = small_number(version, where);
        if (version.field() == 2) header.min_consumer = small_number(version, where);
      });
  });
  return header;
}

BundleEntry parse_bundle_entry(std::string_view message, const std::string& where) {
  BundleEntry entry;
  each_field(message, where, [&](WireReader& reader) {
    switch (reader.field()) {
      case 1:
        entry.type = small_number(reader, where);
        break;
      case 2:
        entry.extents = parse_shape(reader.bytes(), where);
        break;
      case 3:
        entry.shard = small_number(reader, where);
        break;
      case 4:
        entry.offset = static_cast<std::uint64_t>(not_negative(reader, where));
        break;
      case 5:
        entry.size = static_cast<std::uint64_t>(not_negative(reader, where));
        break;
      case 6:
        entry.crc = unmask_crc(reader.fixed32());
        break;
      case 7:
        entry.slices.push_back(parse_slice(reader.bytes(), where));
        break;
      default:
        break;
    }
  });
  return entry;
}

std::string encode_bundle_header(const BundleHeader& header) {
  WireWriter version;
  version.varint(1, static_cast<std::uint64_t>(header.producer));
  WireWriter message;
  message.varint(1, static_cast<std::uint64_t>(header.shards));
  message.bytes(3, version.message());
  return message.message();
}

std::string encode_bundle_entry(const BundleEntry& entry) {
  WireWriter message;
  message.varint(1, static_cast<std::uint64_t>(entry.type));
  message.bytes(2, encode_shape(entry.extents));
  if (entry.shard != 0) message.varint(3, static_cast<std::uint64_t>(entry.shard));
  if (entry.offset != 0) message.varint(4, entry.offset);
  if (entry.size != 0) message.varint(5, entry.size);
  message.fixed32(6, mask_crc(entry.crc));
  return message.message();
}

int bundle_type_of(Dtype dtype) {
  const auto* const type = std::ranges::find(kTypes, std::optional(dtype), &TypeName::dtype);
  return static_cast<int>(type - kTypes.begin());
}

std::optional<std::int64_t> elements_of(const std::vector<std::int64_t>& extents) {
  std::int64_t product = 1;
  for (const std::int64_t extent : extents)
    if (extent != 0 && __builtin_mul_overflow(product, extent, &product)) return std::nullopt;
  return std::ranges::count(extents, 0) != 0 ? 0 : product;
}

std::string slice_key(std::string_view name, const Slice& slice) {
  std::string key;
  append_ordered(key, std::uint64_t{0});
  append_ordered(key, name);
  append_ordered(key, std::uint64_t{slice.size()});
  for (const SliceExtent& extent : slice) {
    append_ordered_signed(key, extent.start);
    append_ordered_signed(key, extent.length);
  }
  return key;
}

std::filesystem::path bundle_index_path(const std::filesystem::path& prefix) {
  return with_suffix(prefix, ".index");
}

std::filesystem::path bundle_data_path(const std::filesystem::path& prefix, int shard, int shards) {
  return with_suffix(prefix, fmt::format(".data-{:05}-of-{:05}", shard, shards));
}

}  // namespace fastnn
