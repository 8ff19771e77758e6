#include "data/records/example.h"

#include "data/records/example_writer.h"
#include "engine/base/error.h"
#include "engine/base/wire.h"
#include "tests/data/records/files.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

const RecordOrigin kOrigin{.file = "some.tfrecord", .record = 4, .byte = 77};

/// An Example that owns its payload.
struct Parsed {
  explicit Parsed(std::string bytes) : payload(std::move(bytes)), example(bytes_of(payload), kOrigin) {}
  std::string payload;
  Example example;
};

std::string field(std::uint32_t number, std::string_view content) {
  std::string out;
  append_bytes_field(out, number, content);
  return out;
}

/// An Example with one feature "k" of the given bytes.
std::string example_with_feature(std::string_view feature) {
  return field(1, field(1, field(1, "k") + field(2, feature)));
}

std::string parse_error(const std::string& payload) {
  return message_of<InputError>([&] { Parsed parsed(payload); });
}

template <class F>
std::string lookup_error(const FeatureMap& features, F lookup) {
  const Parsed parsed(serialize_example(features));
  return message_of<InputError>([&] { lookup(parsed.example); });
}

}  // namespace

TEST_CASE("example: label, encoded and format are written to their published bytes") {
  const std::string bytes = serialize_example({{"image/encoded", bytes_feature("abc")},
                                               {"image/format", bytes_feature("png")},
                                               {"image/class/label", integer_feature(3)}});
  CHECK(bytes ==
        from_hex("0a4f0a1a0a11696d6167652f636c6173732f6c6162656c12051a030a01030a180a0d696d6167652f656e63"
                 "6f64656412070a050a036162630a170a0c696d6167652f666f726d617412070a050a03706e67"));
  const Parsed parsed(bytes);
  CHECK(text_of(parsed.example.bytes("image/encoded")) == "abc");
  CHECK(text_of(parsed.example.bytes("image/format")) == "png");
  CHECK(parsed.example.integer("image/class/label") == 3);
}

TEST_CASE("example: the label -1 is a varint of ten bytes") {
  const std::string bytes = serialize_example({{"image/class/label", integer_feature(-1)}});
  CHECK(bytes == from_hex("0a250a230a11696d6167652f636c6173732f6c6162656c120e1a0c0a0affffffffffffffffff01"));
  CHECK(Parsed(bytes).example.integer("image/class/label") == -1);
}

TEST_CASE("example: lists of all kinds come back, and empty ones keep their kind") {
  const Parsed parsed(serialize_example({{"b", std::vector<std::string>{"", "two"}},
                                         {"f", std::vector<float>{1.5F, -0.0F}},
                                         {"i", std::vector<std::int64_t>{INT64_MIN, 0, 128, INT64_MAX}},
                                         {"empty", std::vector<std::int64_t>{}},
                                         {"one", real_feature(2.5F)},
                                         {"unset", {}}}));
  const Example& example = parsed.example;
  REQUIRE(example.bytes_list("b").size() == 2);
  CHECK(text_of(example.bytes_list("b")[1]) == "two");
  CHECK(example.reals("f") == std::vector<float>{1.5F, -0.0F});
  CHECK(example.integers("i") == std::vector<std::int64_t>{INT64_MIN, 0, 128, INT64_MAX});
  CHECK(example.integers("empty").empty());
  CHECK(example.kind("empty") == FeatureKind::integer);
  CHECK(example.real("one") == 2.5F);
  CHECK(example.kind("unset") == FeatureKind::none);
  CHECK(example.contains("unset"));
  CHECK_FALSE(example.contains("absent"));
  CHECK(example.kind("absent") == FeatureKind::none);
  CHECK(example.keys() == std::vector<std::string_view>{"b", "empty", "f", "i", "one", "unset"});
}

TEST_CASE("example: an empty payload has no features") {
  CHECK(Parsed("").example.keys().empty());
}

TEST_CASE("example: packed and unpacked lists give the same values") {
  const Parsed packed(example_with_feature(field(3, from_hex("0a03058101"))));
  const Parsed unpacked(example_with_feature(field(3, from_hex("0805088101"))));
  const Parsed mixed(example_with_feature(field(3, from_hex("08050a028101"))));
  const std::vector<std::int64_t> values{5, 129};
  CHECK(packed.example.integers("k") == values);
  CHECK(unpacked.example.integers("k") == values);
  CHECK(mixed.example.integers("k") == values);
  const Parsed reals(example_with_feature(field(2, from_hex("0d0000803f0a0400000040"))));
  CHECK(reals.example.reals("k") == std::vector<float>{1, 2});
}

TEST_CASE("example: unknown fields and groups are skipped at every level") {
  // Fields 15 and 16 as string, varint, 64 bits, 32 bits, and group 15 around a varint and a group 16.
  const std::string unknown = from_hex("7a0168") + from_hex("800105") + from_hex("79") + std::string(8, 'x') +
                              from_hex("7d") + std::string(4, 'x') + from_hex("7b080583010805840108067c");
  const std::string list = unknown + from_hex("0809") + unknown;
  const std::string feature = unknown + field(3, list) + unknown + field(3, list);
  const std::string entry = unknown + field(1, "k") + unknown + field(2, feature) + unknown;
  const Parsed parsed(unknown + field(1, unknown + field(1, entry) + unknown) + unknown);
  CHECK(parsed.example.integers("k") == std::vector<std::int64_t>{9, 9});
  CHECK(parsed.example.keys().size() == 1);
}

TEST_CASE("example: of a key that occurs twice the last wins, of two kinds also") {
  const std::string first = field(1, field(1, "k") + field(2, field(3, "\x08\x01")));
  const std::string second = field(1, field(1, "k") + field(2, field(3, "\x08\x02")));
  const Parsed twice(field(1, first + second));
  CHECK(twice.example.integer("k") == 2);
  CHECK(twice.example.keys().size() == 1);
  const Parsed kinds(
      example_with_feature(field(1, field(1, "old")) + field(3, "\x08\x05") + field(1, field(1, "x"))));
  CHECK(text_of(kinds.example.bytes("k")) == "x");
  const Parsed merged(example_with_feature(field(3, "\x08\x05") + field(3, "\x08\x06")));
  CHECK(merged.example.integers("k") == std::vector<std::int64_t>{5, 6});
}

TEST_CASE("example: a missing feature is named with the keys present and the record") {
  const std::string message = lookup_error({{"img_raw", bytes_feature("x")}, {"label", integer_feature(1)}},
                                           [](const Example& e) { e.bytes("image/encoded"); });
  CHECK(holds_all(message, {"\"image/encoded\"", "img_raw, label", "some.tfrecord, record 4, byte 77"}));
  CHECK(holds_all(lookup_error({}, [](const Example& e) { e.integer("x"); }), {"no features"}));
}

TEST_CASE("example: a missing image is an error, not an empty image") {
  const std::string message = lookup_error({{"image/class/label", integer_feature(1)}},
                                           [](const Example& e) { e.bytes("image/encoded"); });
  CHECK(holds_all(message, {"\"image/encoded\"", "image/class/label"}));
}

TEST_CASE("example: long lists of keys and odd keys are shortened in messages") {
  FeatureMap features;
  for (int i = 0; i < 40; ++i) features["key" + std::to_string(i)] = {};
  CHECK(holds_all(lookup_error(features, [](const Example& e) { e.real("x"); }), {"10 more"}));
  const std::string odd =
      lookup_error({{std::string(1000, '\n'), {}}}, [](const Example& e) { e.real("x"); });
  CHECK(odd.find('\n') == std::string::npos);
  CHECK(odd.size() < 300);
}

TEST_CASE("example: a wrong type names key, wanted and found type") {
  const auto label = [](const Example& e) { e.integer("label"); };
  CHECK(holds_all(lookup_error({{"label", bytes_feature("3")}}, label),
                  {"\"label\"", "must hold int64", "holds bytes", "record 4"}));
  CHECK(holds_all(lookup_error({{"label", real_feature(3)}}, label), {"must hold int64", "holds float"}));
  CHECK(holds_all(lookup_error({{"label", {}}}, label), {"must hold int64", "holds no values"}));
  CHECK(holds_all(lookup_error({{"image", integer_feature(3)}}, [](const Example& e) { e.bytes("image"); }),
                  {"\"image\"", "must hold bytes", "holds int64"}));
  CHECK(holds_all(lookup_error({{"image", integer_feature(3)}}, [](const Example& e) { e.reals("image"); }),
                  {"must hold float"}));
}

TEST_CASE("example: a scalar of 0 or 2 values names key and count, of 1 is read") {
  const auto label = [](const Example& e) { e.integer("label"); };
  CHECK(holds_all(lookup_error({{"label", std::vector<std::int64_t>{}}}, label),
                  {"\"label\"", "exactly 1 int64 value", "holds 0"}));
  CHECK(
      holds_all(lookup_error({{"label", std::vector<std::int64_t>{1, 2}}}, label), {"\"label\"", "holds 2"}));
  CHECK(holds_all(
      lookup_error({{"b", std::vector<std::string>{"", ""}}}, [](const Example& e) { e.bytes("b"); }),
      {"\"b\"", "exactly 1 bytes value", "holds 2"}));
  CHECK(Parsed(serialize_example({{"label", std::vector<std::int64_t>{7}}})).example.integer("label") == 7);
}

TEST_CASE("example: every malformed wire form names its message, key, byte and record") {
  struct Case {
    std::string payload;
    std::vector<std::string> parts;
  };
  const std::string deep(101, '\x7b');
  const Case cases[] = {
      {from_hex("0a"), {"malformed Example", "varint, it is cut off", "byte 1"}},
      {from_hex("0a05ffff"), {"malformed Example", "expected 5 bytes, 2 are left"}},
      {from_hex("0affffffffffffffffff01"), {"malformed Example", "bytes, 0 are left"}},
      {std::string(11, '\xff'), {"at most 10 bytes"}},
      {from_hex("0800"), {"malformed Example", "(features)", "wire type 2, it has 0"}},
      {from_hex("0205"), {"field number of 1 to", "got 0"}},
      {from_hex("f8ffffffff0105"), {"field number of 1 to 536870911"}},
      {from_hex("0e"), {"wire type of 0 to 5, got 6"}},
      {from_hex("7d0000"), {"expected 4 bytes, 2 are left"}},
      {from_hex("790000"), {"expected 8 bytes, 2 are left"}},
      {from_hex("7c"), {"end of a group 15 that was not begun"}},
      {from_hex("7b0805"), {"group 15 has no end"}},
      {from_hex("7b44"), {"end of a group 8 that was not begun"}},
      {deep, {"more than 100 nested groups"}},
      {field(1, from_hex("0801")), {"malformed Features", "(feature)"}},
      {field(1, field(1, from_hex("0801"))), {"malformed FeatureEntry", "(key)"}},
      {field(1, field(1, field(1, "k") + from_hex("1001"))), {"malformed FeatureEntry", "(value)"}},
      {example_with_feature(from_hex("0801")), {"malformed Feature of feature \"k\"", "(BytesList)"}},
      {example_with_feature(from_hex("1801")), {"malformed Feature of feature \"k\"", "(Int64List)"}},
      {example_with_feature(field(1, from_hex("0801"))), {"malformed BytesList of feature \"k\"", "(value)"}},
      {example_with_feature(field(1, from_hex("0a0961"))), {"malformed BytesList of feature \"k\""}},
      {example_with_feature(field(2, from_hex("0801"))), {"malformed FloatList of feature \"k\"", "has 0"}},
      {example_with_feature(field(2, from_hex("0a03000000"))),
       {"malformed FloatList", "cut off, 3 bytes are left"}},
      {example_with_feature(field(3, from_hex("0d00000000"))), {"malformed Int64List", "has 5"}},
      {example_with_feature(field(3, from_hex("0a0180"))), {"malformed Int64List", "cut off"}},
  };
  for (const Case& c : cases) {
    const std::string message = parse_error(c.payload);
    CHECK(holds_all(message, c.parts));
    CHECK(holds_all(message, {"some.tfrecord, record 4, byte 77", "of the payload"}));
  }
}
