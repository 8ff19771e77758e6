#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "data/pipeline/sample.h"

namespace fastnn {

/// How protobuf stores a field.
enum class WireType { varint = 0, fixed64 = 1, bytes = 2, group_start = 3, group_end = 4, fixed32 = 5 };

/// One field of a message: its value for the numeric types, its content for WireType::bytes.
struct WireField {
  std::uint32_t number = 0;
  WireType type = WireType::varint;
  std::uint64_t value = 0;
  std::span<const std::byte> bytes{};
};

/// Where a reader stands, for messages.
struct WireContext {
  /// The whole payload: offsets are counted from its start.
  std::span<const std::byte> payload;
  const RecordOrigin* origin = nullptr;
  /// Name of the message being read, as in TensorFlow's example.proto.
  std::string_view message;
  /// Key of the feature being read; empty outside of one.
  std::string_view key;
};

/// Reads the fields of one protobuf message in place; never reads outside of it. Groups of unknown fields are
/// skipped. Every function throws InputError on malformed bytes, naming message, key, byte and origin.
class WireReader {
 public:
  WireReader(std::span<const std::byte> message, const WireContext& context)
      : rest_(message), context_(context) {}

  /// Moves to the next field; false at the end of the message.
  bool next(WireField& field);

  /// The contents of a field that must have type WireType::bytes.
  std::span<const std::byte> content(const WireField& field, std::string_view name) const;

  bool at_end() const { return rest_.empty(); }
  std::span<const std::byte> rest() const { return rest_; }
  std::uint64_t varint();
  std::uint32_t fixed32();

  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::span<const std::byte> take(std::uint64_t bytes);
  std::uint64_t fixed64();
  void read_tag(WireField& field);
  void read_value(WireField& field);
  void skip_group(std::uint32_t number);

  std::span<const std::byte> rest_;
  WireContext context_;
};

/// A key for a message: at most 64 bytes, unprintable ones replaced.
std::string printable(std::string_view key);

void append_varint(std::string& out, std::uint64_t value);
/// Appends a field of WireType::bytes.
void append_bytes_field(std::string& out, std::uint32_t number, std::string_view content);

}  // namespace fastnn
