#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fastnn {

/// How a field of a protobuf message is stored (https://protobuf.dev/programming-guides/encoding). Groups are
/// of unknown fields only, and no reader hands them out.
enum class WireType { varint = 0, fixed64 = 1, bytes = 2, group_start = 3, group_end = 4, fixed32 = 5 };

/// Takes a varint off the front of 'rest'; false, leaving 'rest' alone, if it is cut short or longer than
/// 10 bytes.
bool take_varint(std::string_view& rest, std::uint64_t& value);

/// Walks the fields of one protobuf message, without copying: the message must outlive the reader and the
/// views it hands out. Never reads outside the message and never throws: damage ends the walk and is told by
/// fault().
///
///   WireReader reader(message);
///   while (reader.next())
///     if (reader.field() == 4) offset = reader.varint();
///   if (!reader.fault().empty()) ...
class WireReader {
 public:
  explicit WireReader(std::string_view message) : message_(message), rest_(message) {}

  /// Goes to the next field, over groups; false at the end of the message or at damage.
  bool next();

  std::string_view message() const { return message_; }
  std::uint32_t field() const { return field_; }
  WireType type() const { return type_; }

  /// The value of the current field. Asking for another type than the stored one yields nothing and is a
  /// fault.
  std::uint64_t varint() { return number_of(WireType::varint); }
  std::uint32_t fixed32() { return static_cast<std::uint32_t>(number_of(WireType::fixed32)); }
  std::uint64_t fixed64() { return number_of(WireType::fixed64); }
  std::string_view bytes();

  /// Byte of the message at which the current field begins.
  std::size_t position() const { return position_; }
  /// What is wrong with the message; empty while nothing is.
  const std::string& fault() const { return fault_; }
  /// Byte of the message at which that was seen.
  std::size_t fault_position() const { return fault_position_; }

 private:
  bool fail(std::string fault);
  bool take_number();
  bool take_fixed(std::size_t size);
  bool take_bytes();
  bool take_tag();
  bool take_value();
  bool skip_group();
  std::uint64_t number_of(WireType type);

  std::string_view message_;
  std::string_view rest_;
  std::string_view bytes_;
  std::uint64_t number_ = 0;
  std::size_t position_ = 0;
  std::uint32_t field_ = 0;
  WireType type_ = WireType::varint;
  std::string fault_;
  std::size_t fault_position_ = 0;
};

/// Appends protobuf fields to a message.
class WireWriter {
 public:
  void varint(std::uint32_t field, std::uint64_t value);
  void fixed32(std::uint32_t field, std::uint32_t value);
  void fixed64(std::uint32_t field, std::uint64_t value);
  void bytes(std::uint32_t field, std::string_view value);

  /// The message so far.
  const std::string& message() const { return message_; }

 private:
  void tag(std::uint32_t field, WireType type);

  std::string message_;
};

/// Appends a varint to 'message'.
void append_varint(std::string& message, std::uint64_t value);

/// Appends a field of WireType::bytes to 'message'.
void append_bytes_field(std::string& message, std::uint32_t field, std::string_view value);

}  // namespace fastnn
