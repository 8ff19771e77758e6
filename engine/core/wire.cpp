#include "engine/core/wire.h"

#include <algorithm>
#include <cstring>

namespace fastnn {
namespace {

constexpr std::size_t kLongestVarint = 10;
constexpr std::uint64_t kLargestTag = 0xffffffff;

}  // namespace

bool take_varint(std::string_view& rest, std::uint64_t& value) {
  std::uint64_t result = 0;
  const std::size_t limit = std::min(rest.size(), kLongestVarint);
  for (std::size_t i = 0; i < limit; ++i) {
    const auto byte = static_cast<unsigned char>(rest[i]);
    result |= static_cast<std::uint64_t>(byte & 127) << (7 * i);
    if (byte < 128) {
      rest.remove_prefix(i + 1);
      value = result;
      return true;
    }
  }
  return false;
}

bool WireReader::fail(const char* fault) {
  fault_ = fault;
  return false;
}

bool WireReader::take_fixed(std::size_t size) {
  if (rest_.size() < size) return fail("a fixed-size value is cut short");
  number_ = 0;
  std::memcpy(&number_, rest_.data(), size);
  rest_.remove_prefix(size);
  return true;
}

bool WireReader::next() {
  if (fault_ != nullptr || rest_.empty()) return false;
  position_ = message_.size() - rest_.size();
  std::uint64_t tag = 0;
  if (!take_varint(rest_, tag)) return fail("a field tag is no varint");
  if (tag > kLargestTag || tag >> 3 == 0) return fail("no such field number");
  field_ = static_cast<std::uint32_t>(tag >> 3);
  type_ = static_cast<WireType>(tag & 7);
  switch (type_) {
    case WireType::varint:
      return take_varint(rest_, number_) || fail("a value is no varint");
    case WireType::fixed64:
      return take_fixed(8);
    case WireType::fixed32:
      return take_fixed(4);
    case WireType::bytes:
      if (!take_varint(rest_, number_)) return fail("a length is no varint");
      if (number_ > rest_.size()) return fail("a length reaches past the end");
      bytes_ = rest_.substr(0, number_);
      rest_.remove_prefix(number_);
      return true;
  }
  return fail("no such wire type");
}

std::uint64_t WireReader::number_of(WireType type) {
  if (type_ == type) return number_;
  fail("a field has another wire type than expected");
  return 0;
}

std::string_view WireReader::bytes() {
  if (type_ == WireType::bytes) return bytes_;
  fail("a field has another wire type than expected");
  return {};
}

void append_varint(std::string& message, std::uint64_t value) {
  for (; value >= 128; value >>= 7) message.push_back(static_cast<char>(value | 128));
  message.push_back(static_cast<char>(value));
}

void WireWriter::tag(std::uint32_t field, WireType type) {
  append_varint(message_, std::uint64_t{field} << 3 | static_cast<std::uint64_t>(type));
}

void WireWriter::varint(std::uint32_t field, std::uint64_t value) {
  tag(field, WireType::varint);
  append_varint(message_, value);
}

void WireWriter::fixed32(std::uint32_t field, std::uint32_t value) {
  tag(field, WireType::fixed32);
  message_.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void WireWriter::fixed64(std::uint32_t field, std::uint64_t value) {
  tag(field, WireType::fixed64);
  message_.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void WireWriter::bytes(std::uint32_t field, std::string_view value) {
  tag(field, WireType::bytes);
  append_varint(message_, value.size());
  message_.append(value);
}

}  // namespace fastnn
