#include "engine/base/wire.h"

#include <limits>

#include "tests/support/catch.h"

using namespace fastnn;
using namespace std::string_literals;

namespace {

std::string fault_of(std::string_view message) {
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
  CHECK(reader.fault().empty());
}

TEST_CASE("wire: the bytes are those of the protobuf manual") {
  WireWriter writer;
  writer.varint(1, 150);
  writer.bytes(2, "testing");
  CHECK(writer.message() == "\x08\x96\x01\x12\x07testing"s);
}

TEST_CASE("wire: an empty message has no field and no fault") {
  CHECK(fault_of("").empty());
}

TEST_CASE("wire: each kind of damage is a fault") {
  CHECK(fault_of("\x80"s) == "expected a varint, it is cut off");
  CHECK(fault_of("\x00\x01"s) == "expected a field number of 1 to 536870911, got 0");
  CHECK(fault_of("\xff\xff\xff\xff\xff\x01\x01"s) ==
        "expected a field number of 1 to 536870911, got 8589934591");
  CHECK(fault_of("\x08\xff"s) == "expected a varint, it is cut off");
  CHECK(fault_of("\x08"s + std::string(10, '\xff') + "\x01") ==
        "expected a varint of at most 10 bytes, got a longer one");
  CHECK(fault_of("\x35\x01\x02\x03"s) == "expected 4 bytes, 3 are left");
  CHECK(fault_of("\x39\x01\x02\x03\x04\x05\x06\x07"s) == "expected 8 bytes, 7 are left");
  CHECK(fault_of("\x0a\x80"s) == "expected a varint, it is cut off");
  CHECK(fault_of("\x0a\x04"
                 "abc"s) == "expected 4 bytes, 3 are left");
  CHECK(fault_of("\x0e"s) == "expected a wire type of 0 to 5, got 6");
}

TEST_CASE("wire: groups are skipped with what they hold, and a broken one is a fault") {
  const std::string message = "\x7b\x08\x05\x83\x01\x08\x05\x84\x01\x08\x06\x7c\x08\x07"s;
  WireReader reader(message);
  REQUIRE(reader.next());
  CHECK(reader.varint() == 7);
  CHECK_FALSE(reader.next());
  CHECK(reader.fault().empty());
  CHECK(fault_of("\x7c"s) == "the end of a group 15 that was not begun");
  CHECK(fault_of("\x7b\x08\x05"s) == "group 15 has no end");
  CHECK(fault_of("\x7b\x44"s) == "the end of a group 8 that was not begun");
  CHECK(fault_of(std::string(101, '\x7b')) == "more than 100 nested groups");
}

TEST_CASE("wire: the byte of a fault is told") {
  const std::string message = "\x08\x01\x0a\x05z";
  WireReader reader(message);
  while (reader.next()) continue;
  CHECK(reader.fault_position() == 4);
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
  CHECK(!second.fault().empty());
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
