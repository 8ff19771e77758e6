#include "data/records/proto_reader.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/wire.h"

namespace fastnn {
namespace {

constexpr std::size_t kLongestVarint = 10;
constexpr std::size_t kDeepestGroup = 100;  // as deep as protobuf's own parsers go
constexpr std::uint64_t kLargestFieldNumber = (1U << 29) - 1;
constexpr std::size_t kLongestKeyInMessage = 64;

}  // namespace

std::string printable(std::string_view key) {
  std::string text(key.substr(0, kLongestKeyInMessage));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }, '?');
  return key.size() > kLongestKeyInMessage ? text + "..." : text;
}

void ProtoReader::fail(const std::string& what) const {
  const std::string key =
      context_.key.empty() ? std::string() : fmt::format(" of feature \"{}\"", printable(context_.key));
  throw InputError(
      "[example] malformed {}{}: {}, at byte {} of the payload; in {}; write the records as tf.train.Example",
      context_.message, key, what, rest_.data() - context_.payload.data(), context_.origin->text());
}

std::span<const std::byte> ProtoReader::take(std::uint64_t bytes) {
  if (bytes > rest_.size()) fail(fmt::format("expected {} bytes, {} are left", bytes, rest_.size()));
  const auto taken = rest_.first(static_cast<std::size_t>(bytes));
  rest_ = rest_.subspan(taken.size());
  return taken;
}

std::uint64_t ProtoReader::varint() {
  std::uint64_t value = 0;
  const std::size_t longest = std::min(rest_.size(), kLongestVarint);
  for (std::size_t i = 0; i < longest; ++i) {
    const auto byte = std::to_integer<std::uint64_t>(rest_[i]);
    value |= (byte & 127) << (7 * i);
    if (byte < 128) {
      rest_ = rest_.subspan(i + 1);
      return value;
    }
  }
  fail(longest == kLongestVarint ? "expected a varint of at most 10 bytes, got a longer one"
                                 : "expected a varint, it is cut off");
}

std::uint32_t ProtoReader::fixed32() {
  std::uint32_t value;
  std::memcpy(&value, take(sizeof(value)).data(), sizeof(value));
  return value;
}

std::uint64_t ProtoReader::fixed64() {
  std::uint64_t value;
  std::memcpy(&value, take(sizeof(value)).data(), sizeof(value));
  return value;
}

void ProtoReader::read_tag(ProtoField& field) {
  const std::uint64_t tag = varint();
  if (tag >> 3 == 0 || tag >> 3 > kLargestFieldNumber)
    fail(fmt::format("expected a field number of 1 to {}, got {}", kLargestFieldNumber, tag >> 3));
  if ((tag & 7) > 5) fail(fmt::format("expected a wire type of 0 to 5, got {}", tag & 7));
  field = {.number = static_cast<std::uint32_t>(tag >> 3), .type = static_cast<ProtoType>(tag & 7)};
}

void ProtoReader::read_value(ProtoField& field) {
  switch (field.type) {
    case ProtoType::varint:
      field.value = varint();
      return;
    case ProtoType::fixed64:
      field.value = fixed64();
      return;
    case ProtoType::bytes:
      field.bytes = take(varint());
      return;
    case ProtoType::fixed32:
      field.value = fixed32();
      return;
    case ProtoType::group_start:
      skip_group(field.number);
      return;
    case ProtoType::group_end:
      fail(fmt::format("the end of a group {} that was not begun", field.number));
  }
}

void ProtoReader::skip_group(std::uint32_t number) {
  std::vector<std::uint32_t> open{number};
  while (!open.empty()) {
    if (rest_.empty()) fail(fmt::format("group {} has no end", open.back()));
    ProtoField field;
    read_tag(field);
    if (field.type == ProtoType::group_start) {
      if (open.size() == kDeepestGroup) fail(fmt::format("more than {} nested groups", kDeepestGroup));
      open.push_back(field.number);
    } else if (field.type == ProtoType::group_end && field.number == open.back()) {
      open.pop_back();
    } else {
      read_value(field);
    }
  }
}

bool ProtoReader::next(ProtoField& field) {
  if (rest_.empty()) return false;
  read_tag(field);
  read_value(field);
  return true;
}

std::span<const std::byte> ProtoReader::content(const ProtoField& field, std::string_view name) const {
  if (field.type != ProtoType::bytes)
    fail(fmt::format("field {} ({}) must have wire type 2, it has {}", field.number, name,
                     static_cast<int>(field.type)));
  return field.bytes;
}

void append_bytes_field(std::string& out, std::uint32_t number, std::string_view content) {
  append_varint(out, std::uint64_t{number} << 3 | static_cast<std::uint64_t>(ProtoType::bytes));
  append_varint(out, content.size());
  out += content;
}

}  // namespace fastnn
