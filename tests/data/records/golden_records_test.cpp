#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "data/records/example.h"
#include "data/records/example_writer.h"
#include "data/records/record_file.h"
#include "data/records/record_set.h"
#include "engine/base/crc32c.h"
#include "engine/base/error.h"
#include "tests/data/records/files.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;
using nlohmann::json;

namespace {

std::string hex_of(std::uint32_t crc) {
  return fmt::format("{:08x}", crc);
}

/// The description of the files. Python writes infinities and NaN as bare words, which are no JSON: they
/// become strings here.
json golden_description() {
  const std::string text = file_content(golden_dir() / "tfrecords/tfrecords.json");
  return json::parse(std::regex_replace(text, std::regex("-?Infinity|NaN"), "\"$&\""));
}

std::vector<float> floats_of(const json& values) {
  std::vector<float> floats;
  for (const json& value : values)
    floats.push_back(value.is_string() ? std::stof(value.get<std::string>()) : value.get<float>());
  return floats;
}

bool same_floats(const std::vector<float>& a, const std::vector<float>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

void check_bytes(const std::vector<std::span<const std::byte>>& values, const json& expected) {
  REQUIRE(values.size() == expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    CHECK(values[i].size() == expected[i]["bytes"].get<std::size_t>());
    CHECK(hex_of(crc32c(values[i])) == expected[i]["crc32c"].get<std::string>());
  }
}

void check_feature(const Example& example, const std::string& key, const json& expected) {
  INFO("feature " << key);
  REQUIRE(example.contains(key));
  const std::string kind = expected["kind"].is_null() ? "" : expected["kind"].get<std::string>();
  if (kind == "bytes_list") check_bytes(example.bytes_list(key), expected["values"]);
  if (kind == "int64_list")
    CHECK(example.integers(key) == expected["values"].get<std::vector<std::int64_t>>());
  if (kind == "float_list") CHECK(same_floats(example.reals(key), floats_of(expected["values"])));
  if (kind.empty()) CHECK(example.kind(key) == FeatureKind::none);
}

FeatureValues values_of(const Example& example, std::string_view key) {
  switch (example.kind(key)) {
    case FeatureKind::none:
      return {};
    case FeatureKind::real:
      return example.reals(key);
    case FeatureKind::integer:
      return example.integers(key);
    case FeatureKind::bytes:
      break;
  }
  std::vector<std::string> values;
  for (const auto value : example.bytes_list(key)) values.emplace_back(text_of(value));
  return values;
}

std::string rewritten(const Example& example) {
  FeatureMap features;
  for (const std::string_view key : example.keys()) features[std::string(key)] = values_of(example, key);
  return serialize_example(features);
}

std::filesystem::path golden_file(const json& entry) {
  return golden_dir() / "tfrecords" / entry["file"].get<std::string>();
}

enum class Compression { none, whole_file };

/// The entries of the files of one kind; none where the golden folder lacks them.
std::vector<json> golden_files(Compression compression) {
  if (!has_golden("tfrecords/tfrecords.json")) return {};
  const json description = golden_description();
  std::vector<json> entries;
  for (const json& entry : description["files"])
    if ((entry["compression"] == "none") == (compression == Compression::none)) entries.push_back(entry);
  CHECK_FALSE(entries.empty());
  return entries;
}

void check_record(const Record& record, const json& expected) {
  CHECK(record.payload.size() == expected["bytes"].get<std::size_t>());
  CHECK(hex_of(crc32c(record.payload)) == expected["crc32c"].get<std::string>());
  if (!expected.contains("features") || expected["features"].is_null()) return;
  const Example example(record.payload, record.origin);
  CHECK(example.keys().size() == expected["features"].size());
  for (const auto& [key, feature] : expected["features"].items()) check_feature(example, key, feature);
}

/// Every record of a source, by the entry of its file.
template <class Source>
void check_records(const Source& source, const json& entry) {
  REQUIRE(source.size() == entry["count"].get<std::int64_t>());
  for (std::int64_t i = 0; i < source.size(); ++i) {
    INFO("record " << i);
    check_record(source.read(i), entry["records"][static_cast<std::size_t>(i)]);
  }
}

}  // namespace

TEST_CASE("golden tfrecords: every record of every plain file has its bytes and features") {
  for (const json& entry : golden_files(Compression::none)) {
    INFO("file " << entry["file"]);
    check_records(RecordFile(golden_file(entry)), entry);
  }
}

TEST_CASE("golden tfrecords: parsed and written again, examples have TensorFlow's bytes") {
  for (const json& entry : golden_files(Compression::none)) {
    if (entry.contains("what")) continue;  // written by hand in other valid forms
    const RecordFile file(golden_file(entry));
    for (std::int64_t i = 0; i < file.size(); ++i) {
      const Record record = file.read(i);
      if (record.payload.empty()) continue;
      INFO("file " << entry["file"] << " record " << i);
      CHECK(rewritten(Example(record.payload, record.origin)) == text_of(record.payload));
    }
  }
}

TEST_CASE("golden tfrecords: whole files come out as TensorFlow wrote them") {
  const TemporaryFolder folder;
  for (const json& entry : golden_files(Compression::none)) {
    const RecordFile file(golden_file(entry));
    RecordWriter writer(folder / "copy");
    for (std::int64_t i = 0; i < file.size(); ++i) writer.write(file.read(i).payload);
    writer.close();
    CHECK(file_content(folder / "copy") == file_content(golden_file(entry)));
  }
}

TEST_CASE("golden tfrecords: every record of every compressed file has its bytes and features") {
  const TemporaryFolder folder;
  NoLog log;
  for (const json& entry : golden_files(Compression::whole_file)) {
    INFO("file " << entry["file"]);
    if (entry["count"] == 0) {
      CHECK_THROWS_AS(RecordSet({golden_file(entry)}, {.index_dir = folder.path()}, log), InputError);
      continue;
    }
    const RecordSet set({golden_file(entry)}, {.index_dir = folder.path()}, log);
    check_records(set, entry);
    CHECK(std::filesystem::path(set.origin(0).file).filename() == entry["file"].get<std::string>());
  }
}

TEST_CASE("golden tfrecords: compressed files are called by their compression") {
  for (const json& entry : golden_files(Compression::whole_file)) {
    const char* kind = entry["compression"] == "GZIP" ? "gzip" : "zlib";
    CHECK(holds_all(message_of<InputError>([&] { RecordFile file(golden_file(entry)); }),
                    {entry["file"].get<std::string>(), kind, "decompress it first"}));
  }
}

TEST_CASE("tfrecord: a real TF-Slim shard of photographs is read") {
  const auto folder = data_dir();
  if (folder.empty()) {
    WARN("skipped: no folder of real data; set FASTNN_DATA_DIR");
    return;
  }
  const RecordFile file(folder / "flowers/flowers_validation_00000-of-00005.tfrecord");
  REQUIRE(file.size() == 70);
  for (std::int64_t i = 0; i < file.size(); ++i) {
    const Record record = file.read(i);
    const Example example(record.payload, record.origin);
    CHECK(text_of(example.bytes("image/format")) == "jpg");
    CHECK(text_of(example.bytes("image/encoded")).substr(0, 2) == "\xff\xd8");
    CHECK(example.integer("image/class/label") >= 0);
    CHECK(example.integer("image/class/label") < 5);
    CHECK(example.integer("image/height") > 0);
  }
}
