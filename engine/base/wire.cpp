#include "engine/base/wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace fastnn {
namespace {

constexpr std::size_t kLongestVarint = 10;
constexpr std::uint64_t kLargestFieldNumber = (1U << 29) - 1;
constexpr std::size_t kDeepestGroup = 100;  // as deep as protobuf's own parsers go

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

bool WireReader::fail(std::string fault) {
  fault_ = std::move(fault);
  fault_position_ = message_.size() - rest_.size();
  return false;
}

bool WireReader::take_number() {
  if (take_varint(rest_, number_)) return true;
  return fail(rest_.size() >= kLongestVarint ? "expected a varint of at most 10 bytes, got a longer one"
                                             : "expected a varint, it is cut off");
}

bool WireReader::take_fixed(std::size_t size) {
  if (rest_.size() < size) return fail(fmt::format("expected {} bytes, {} are left", size, rest_.size()));
  number_ = 0;
  std::memcpy(&number_, rest_.data(), size);
  rest_.remove_prefix(size);
  return true;
}

bool WireReader::take_bytes() {
  if (!take_number()) return false;
  if (number_ > rest_.size())
    return fail(fmt::format("expected {} bytes, {} are left", number_, rest_.size()));
  bytes_ = rest_.substr(0, number_);
  rest_.remove_prefix(number_);
  return true;
}

bool WireReader::take_tag() {
  if (!take_number()) return false;
  const std::uint64_t field = number_ >> 3, type = number_ & 7;
  if (field == 0 || field > kLargestFieldNumber)
    return fail(fmt::format("expected a field number of 1 to {}, got {}", kLargestFieldNumber, field));
  if (type > 5) return fail(fmt::format("expected a wire type of 0 to 5, got {}", type));
  field_ = static_cast<std::uint32_t>(field);
  type_ = static_cast<WireType>(type);
  return true;
}

bool WireReader::take_value() {
  switch (type_) {
    case WireType::varint:
      return take_number();
    case WireType::fixed64:
      return take_fixed(8);
    case WireType::fixed32:
      return take_fixed(4);
    case WireType::bytes:
      return take_bytes();
    case WireType::group_start:
      return skip_group();
    case WireType::group_end:
      break;
  }
  return fail(fmt::format("the end of a group {} that was not begun", field_));
}

bool WireReader::skip_group() {
  std::vector<std::uint32_t> open{field_};
  while (!open.empty()) {
    if (rest_.empty()) return fail(fmt::format("group {} has no end", open.back()));
    if (!take_tag()) return false;
    if (type_ == WireType::group_end && field_ == open.back()) {
      open.pop_back();
    } else if (type_ != WireType::group_start) {
      if (!take_value()) return false;
    } else if (open.size() == kDeepestGroup) {
      return fail(fmt::format("more than {} nested groups", kDeepestGroup));
    } else {
      open.push_back(field_);
    }
  }
  return true;
}

bool WireReader::next() {
  while (fault_.empty() && !rest_.empty()) {
    position_ = message_.size() - rest_.size();
    if (!take_tag()) return false;
    const bool is_group = type_ == WireType::group_start;
    if (!take_value()) return false;
    if (!is_group) return true;
  }
  return false;
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

void append_bytes_field(std::string& message, std::uint32_t field, std::string_view value) {
  append_varint(message, std::uint64_t{field} << 3 | static_cast<std::uint64_t>(WireType::bytes));
  append_varint(message, value.size());
  message.append(value);
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
  append_bytes_field(message_, field, value);
}

}  // namespace fastnn
