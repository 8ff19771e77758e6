#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "data/pipeline/sample.h"

namespace fastnn {

/// How protobuf stores a field.
enum class ProtoType { varint = 0, fixed64 = 1, bytes = 2, group_start = 3, group_end = 4, fixed32 = 5 };

/// One field of a message: its value for the numeric types, its content for ProtoType::bytes.
struct ProtoField {
  std::uint32_t number = 0;
  ProtoType type = ProtoType::varint;
  std::uint64_t value = 0;
  std::span<const std::byte> bytes{};
};

/// Where a reader stands, for messages.
struct ProtoContext {
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
class ProtoReader {
 public:
  ProtoReader(std::span<const std::byte> message, const ProtoContext& context)
      : rest_(message), context_(context) {}

  /// Moves to the next field; false at the end of the message.
  bool next(ProtoField& field);

  /// The contents of a field that must have type ProtoType::bytes.
  std::span<const std::byte> content(const ProtoField& field, std::string_view name) const;

  bool at_end() const { return rest_.empty(); }
  std::span<const std::byte> rest() const { return rest_; }
  std::uint64_t varint();
  std::uint32_t fixed32();

  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::span<const std::byte> take(std::uint64_t bytes);
  std::uint64_t fixed64();
  void read_tag(ProtoField& field);
  void read_value(ProtoField& field);
  void skip_group(std::uint32_t number);

  std::span<const std::byte> rest_;
  ProtoContext context_;
};

/// A key for a message: at most 64 bytes, unprintable ones replaced.
std::string printable(std::string_view key);

/// Appends a field of ProtoType::bytes.
void append_bytes_field(std::string& out, std::uint32_t number, std::string_view content);

}  // namespace fastnn
