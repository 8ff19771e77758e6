#include "engine/core/wire.h"

#include <limits>

#include "tests/support/catch.h"

using namespace fastnn;
using namespace std::string_literals;

namespace {

const char* fault_of(std::string_view message) {
  WireReader reader(message);
  while (reader.next()) continue;
  return reader.fault();
}

}  // namespace

TEST_CASE("wire: written fields are read back, with their positions") {
  WireWriter writer;
  writer.varint(1, 300);
  writer.fixed32(6, 0xdeadbeef);
  writer.fixed64(7, 0x0123456789abcdef);
  writer.bytes(300, "abc");
  writer.varint(2, std::numeric_limits<std::uint64_t>::max());
  WireReader reader(writer.message());
  REQUIRE(reader.next());
  CHECK(reader.field() == 1);
  CHECK(reader.type() == WireType::varint);
  CHECK(reader.varint() == 300);
  CHECK(reader.position() == 0);
  REQUIRE(reader.next());
  CHECK(reader.fixed32() == 0xdeadbeef);
  CHECK(reader.position() == 3);
  REQUIRE(reader.next());
  CHECK(reader.fixed64() == 0x0123456789abcdef);
  REQUIRE(reader.next());
  CHECK(reader.field() == 300);
  CHECK(reader.bytes() == "abc");
  REQUIRE(reader.next());
  CHECK(reader.varint() == std::numeric_limits<std::uint64_t>::max());
  CHECK_FALSE(reader.next());
  CHECK(reader.fault() == nullptr);
}

TEST_CASE("wire: the bytes are those of the protobuf manual") {
  WireWriter writer;
  writer.varint(1, 150);
  writer.bytes(2, "testing");
  CHECK(writer.message() == "\x08\x96\x01\x12\x07testing"s);
}

TEST_CASE("wire: an empty message has no field and no fault") {
  CHECK(fault_of("") == nullptr);
}

TEST_CASE("wire: each kind of damage is a fault") {
  CHECK(fault_of("\x80"s) == "a field tag is no varint"s);
  CHECK(fault_of("\x00\x01"s) == "no such field number"s);
  CHECK(fault_of("\xff\xff\xff\xff\xff\x01\x01"s) == "no such field number"s);
  CHECK(fault_of("\x08\xff"s) == "a value is no varint"s);
  CHECK(fault_of("\x08"s + std::string(10, '\xff') + "\x01") == "a value is no varint"s);
  CHECK(fault_of("\x35\x01\x02\x03"s) == "a fixed-size value is cut short"s);
  CHECK(fault_of("\x39\x01\x02\x03\x04\x05\x06\x07"s) == "a fixed-size value is cut short"s);
  CHECK(fault_of("\x0a\x80"s) == "a length is no varint"s);
  CHECK(fault_of("\x0a\x04"
                 "abc"s) == "a length reaches past the end"s);
  CHECK(fault_of("\x0b"s) == "no such wire type"s);
}

TEST_CASE("wire: asking for another type than the stored one is a fault and ends the walk") {
  const std::string message = "\x08\x01\x08\x02"s;
  WireReader reader(message);
  REQUIRE(reader.next());
  CHECK(reader.bytes().empty());
  CHECK(reader.fault() == "a field has another wire type than expected"s);
  CHECK_FALSE(reader.next());
  WireReader second(message);
  REQUIRE(second.next());
  CHECK(second.fixed64() == 0);
  CHECK(second.fault() != nullptr);
}

TEST_CASE("wire: take_varint leaves a damaged front alone") {
  std::string_view rest = "\xac\x02z";
  std::uint64_t value = 0;
  REQUIRE(take_varint(rest, value));
  CHECK(value == 300);
  CHECK(rest == "z");
  rest = "\xff";
  CHECK_FALSE(take_varint(rest, value));
  CHECK(rest.size() == 1);
}
