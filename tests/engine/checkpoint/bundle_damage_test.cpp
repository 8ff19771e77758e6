#include <random>

#include "engine/base/error.h"
#include "engine/base/wire.h"
#include "engine/checkpoint/bundle_reader.h"
#include "tests/engine/checkpoint/bundles.h"
#include "tests/engine/checkpoint/index_tables.h"
#include "tests/engine/checkpoint/temporary_folder.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;
using namespace std::string_literals;
using Catch::Matchers::Contains;

namespace {

// A valid small bundle at folder/x, to be damaged.
class Victim {
 public:
  Victim() { save(prefix(), small_tensors()); }

  std::filesystem::path prefix() const { return folder_ / "x"; }
  std::filesystem::path index() const { return folder_ / "x.index"; }
  std::filesystem::path data() const { return folder_ / "x.data-00000-of-00001"; }

  std::string opening_message() const {
    return message_of<InputError>([&] { BundleReader{prefix()}; });
  }
  std::string reading_message(const std::string& name) const {
    const BundleReader bundle(prefix());
    return message_of<InputError>([&] { bundle.read(name); });
  }
  // Replaces the value of one key of the index, keeping its checksums right.
  void set_entry(const std::string& key, const std::string& value) const {
    auto entries = index_entries(prefix());
    entries[key] = value;
    write_index(prefix(), entries);
  }

 private:
  TemporaryFolder folder_;
};

std::string flipped(std::string bytes, std::size_t at) {
  bytes[at] = static_cast<char>(bytes[at] ^ 16);
  return bytes;
}

std::string mutated(std::string bytes, std::mt19937& random) {
  const auto below = [&](std::size_t limit) { return random() % limit; };
  switch (below(4)) {
    case 0:
      return flipped(bytes, below(bytes.size()));
    case 1:
      return bytes.substr(0, below(bytes.size()));
    case 2:
      bytes[below(bytes.size())] = static_cast<char>(random());
      bytes[below(bytes.size())] = static_cast<char>(random());
      return bytes;
    default:
      return bytes.insert(below(bytes.size()), 1 + below(4), static_cast<char>(random()));
  }
}

// Whether opening and reading everything gives exactly the small tensors; InputError counts as false, any
// other exception is a failure.
bool reads_right(const std::filesystem::path& prefix) {
  const auto expected = small_tensors();
  try {
    const BundleReader bundle(prefix);
    if (bundle.entries().size() != expected.size()) return false;
    for (const auto& [name, tensor] : expected)
      if (!std::ranges::equal(bundle.read(name).bytes(), tensor.bytes())) return false;
    return true;
  } catch (const InputError&) {
    return false;
  }
}

void read_everything(const std::filesystem::path& prefix) {
  try {
    const BundleReader bundle(prefix);
    for (const auto& entry : bundle.entries())
      if (message_of<InputError>([&] { bundle.read(entry.first); }).starts_with("another")) FAIL(entry.first);
  } catch (const InputError&) {
  }
}

}  // namespace

TEST_CASE("bundle: a flipped bit in the data names tensor, file, bytes and both checksums") {
  const Victim victim;
  write_file(victim.data(), flipped(file_bytes(victim.data()), 30));
  CHECK_THAT(victim.reading_message("net/conv1/weights"),
             Contains("wrong checksum of tensor 'net/conv1/weights'") &&
                 Contains("x.data-00000-of-00001, bytes 24 to 456: CRC-32C ed4d07f6 expected, got "));
  CHECK(victim.reading_message("net/conv1/biases").empty());
}

TEST_CASE("bundle: a flipped bit in a block of the index names file and byte") {
  const Victim victim;
  write_file(victim.index(), flipped(file_bytes(victim.index()), 30));
  CHECK_THAT(victim.opening_message(),
             Contains("x.index is damaged at byte 0 of 284") && Contains("checksum"));
}

TEST_CASE("bundle: a flipped bit in the footer of the index is noticed") {
  const Victim victim;
  const std::string bytes = file_bytes(victim.index());
  write_file(victim.index(), flipped(bytes, bytes.size() - 45));
  CHECK_THAT(victim.opening_message(), Contains("x.index is damaged at byte"));
  write_file(victim.index(), flipped(bytes, bytes.size() - 1));
  CHECK_THAT(victim.opening_message(), Contains("no table magic number"));
}

TEST_CASE("bundle: a footer that names blocks outside the file is noticed") {
  const Victim victim;
  std::string bytes = file_bytes(victim.index());
  bytes.replace(bytes.size() - 48, 10, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
  write_file(victim.index(), bytes);
  CHECK_THAT(victim.opening_message(), Contains("the footer names no block"));
}

TEST_CASE("bundle: truncated data names the file, the tensor, what is needed and what is there") {
  const Victim victim;
  std::filesystem::resize_file(victim.data(), 460);
  CHECK_THAT(victim.opening_message(), Contains("x.data-00000-of-00001 is truncated: tensor 'net/double'") &&
                                           Contains("lies at byte 456 and has 32 bytes, the file has 460"));
}

TEST_CASE("bundle: data truncated after opening is noticed when read") {
  const Victim victim;
  const BundleReader bundle(victim.prefix());
  std::filesystem::resize_file(victim.data(), 10);
  CHECK_THAT(message_of<InputError>([&] { bundle.read("net/double"); }),
             Contains("ends at byte 456, 32 more bytes expected"));
}

TEST_CASE("bundle: a truncated index is noticed") {
  const Victim victim;
  std::filesystem::resize_file(victim.index(), 100);
  CHECK_THAT(victim.opening_message(), Contains("no table magic number in the last 8 bytes"));
  std::filesystem::resize_file(victim.index(), 20);
  CHECK_THAT(victim.opening_message(), Contains("shorter than a table's footer"));
}

TEST_CASE("bundle: a missing shard is named") {
  const TemporaryFolder folder;
  const auto golden = sample_dir() / "checkpoints/sharded_v2";
  for (const std::string file : {"model.ckpt-100.index", "model.ckpt-100.data-00000-of-00002"})
    std::filesystem::copy_file(golden / file, folder / file);
  CHECK_THAT(message_of<InputError>([&] { BundleReader{folder / "model.ckpt-100"}; }),
             Contains("shard 1 of 2 is missing") && Contains("model.ckpt-100.data-00001-of-00002"));
}

TEST_CASE("bundle: an empty index and an empty data file are named") {
  const Victim victim;
  write_file(victim.data(), "");
  CHECK_THAT(victim.opening_message(),
             Contains("is truncated: tensor 'global_step'") && Contains("the file has 0"));
  write_file(victim.index(), "");
  CHECK_THAT(victim.opening_message(), Contains("x.index is an empty file"));
}

TEST_CASE("bundle: a text file or a web page in place of the index is named") {
  const Victim victim;
  write_file(victim.index(), "404 not found\n");
  CHECK_THAT(victim.opening_message(), Contains("x.index is a text file"));
  write_file(victim.index(), "<html>404 not found</html>\n");
  CHECK_THAT(victim.opening_message(), Contains("x.index is an HTML page"));
}

TEST_CASE("bundle: an index that is a folder is named") {
  const Victim victim;
  std::filesystem::remove(victim.index());
  std::filesystem::create_directory(victim.index());
  CHECK_THAT(victim.opening_message(), Contains("expected a plain file"));
}

TEST_CASE("bundle: a path that is no bundle tells what is there") {
  const Victim victim;
  const auto folder = victim.prefix().parent_path();
  const auto message = [&](const std::string& name) {
    return message_of<InputError>([&] { BundleReader{folder / name}; });
  };
  CHECK_THAT(message("y"), Contains("there is no") && Contains("holds the bundles x; give one of them"));
  CHECK_THAT(message("x.index"), Contains("one file of the bundle") && Contains("x; give this prefix"));
  CHECK_THAT(message("x.data-00000-of-00001"), Contains("one file of the bundle"));
  CHECK_THAT(message("no/such"), Contains("no bundle in the folder"));
  CHECK_THAT(message_of<InputError>([&] { BundleReader{folder}; }), Contains("holds the bundles x"));
  const std::map<std::string, std::string> files = {{"a.h5", "\x89HDF\r\n\x1a\n"},
                                                    {"a.pt", "PK\x03\x04"},
                                                    {"a.gz", "\x1f\x8b\x08"},
                                                    {"a.txt", "learning_rate=1\n"},
                                                    {"empty", ""},
                                                    {"binary", "\x01\x02\xff"},
                                                    {"a.safetensors", "\x02\0\0\0\0\0\0\0{}"s}};
  const std::map<std::string, std::string> kinds = {{"a.h5", "is an HDF5 file"},
                                                    {"a.pt", "is a zip archive"},
                                                    {"a.gz", "is a gzip-compressed file"},
                                                    {"a.txt", "is a text file"},
                                                    {"empty", "is an empty file"},
                                                    {"binary", "is a file of unknown format"},
                                                    {"a.safetensors", "is a safetensors file"}};
  for (const auto& [name, bytes] : files) {
    write_file(folder / name, bytes);
    CHECK_THAT(message(name), Contains(kinds.at(name)));
  }
}

TEST_CASE("bundle: a name that is not there is answered with those like it") {
  const Victim victim;
  CHECK_THAT(victim.reading_message("net/conv1/weigths"),
             Contains("no tensor 'net/conv1/weigths' among the 6 of") &&
                 Contains("did you mean: net/conv1/weights"));
  CHECK_THAT(victim.reading_message("conv1/biases"), Contains("did you mean: net/conv1/biases"));
  CHECK_THAT(victim.reading_message("scope/net/scalar"), Contains("did you mean: net/scalar"));
  CHECK_THAT(victim.reading_message("Zzzzzzzzzzzzzzzzz"), Contains("check the name, none is like it"));
}

TEST_CASE("bundle: a big-endian, too new, shardless or headless bundle is refused") {
  const Victim victim;
  victim.set_entry("", "\x08\x01\x10\x01\x1a\x02\x08\x01"s);
  CHECK_THAT(victim.opening_message(), Contains("big-endian"));
  victim.set_entry("", "\x08\x01\x1a\x04\x08\x03\x10\x02"s);
  CHECK_THAT(victim.opening_message(), Contains("needs a reader of bundle version 2, this one has 1"));
  victim.set_entry("", "\x1a\x02\x08\x01"s);
  CHECK_THAT(victim.opening_message(), Contains("says it has no shards"));
  victim.set_entry("", "\x08\xff"s);
  CHECK_THAT(victim.opening_message(), Contains("expected a varint, it is cut off at byte 0"));
  write_index(victim.prefix(), {{"a", "\x08\x01"}});
  CHECK_THAT(victim.opening_message(), Contains("its first entry is no bundle header"));
  write_index(victim.prefix(), {});
  CHECK_THAT(victim.opening_message(), Contains("holds no entry, not even a header"));
}

TEST_CASE("bundle: entries with impossible numbers are refused, naming the tensor") {
  const Victim victim;
  const auto message_for = [&](const std::string& value) {
    victim.set_entry("net/scalar", value);
    return victim.opening_message();
  };
  CHECK_THAT(message_for("\x08"), Contains("the entry 'net/scalar' of") && Contains("x.index is damaged"));
  CHECK_THAT(message_for("\x08\x01\x18\x01\x28\x04"), Contains("is in shard 1, there are 1"));
  CHECK_THAT(message_for("\x08\x01\x28\x08"),
             Contains("has 8 bytes, its shape [] of float needs 1 elements of 4"));
  CHECK_THAT(message_for("\x08\x01\x28\xff\xff\xff\xff\x7f"), Contains("is truncated"));
  CHECK_THAT(message_for("\x08\x01\x20\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x28\x04"),
             Contains("field 4 is -1"));
  CHECK_THAT(message_for("\x08\xff\xff\xff\xff\x7f"), Contains("field 1 is"));
  CHECK_THAT(message_for("\x0a\x01\x01"), Contains("another wire type"));
  CHECK_THAT(message_for("\x08\x01\x12\x02\x18\x01"), Contains("the shape is unknown"));
  CHECK_THAT(message_for("\x08\x01\x12\x18\x12\x0a\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f"
                         "\x12\x0a\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f"),
             Contains("no tensor can have the shape"));
  CHECK_THAT(message_for("\x08\x01\x12\x0d\x12\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
             Contains("field 1 is -1"));
}

TEST_CASE("bundle: damaged partitions are refused, naming the part") {
  const TemporaryFolder folder;
  const auto golden = sample_dir() / "checkpoints/partitioned_v2";
  std::filesystem::copy_file(golden / "part.data-00000-of-00001", folder / "part.data-00000-of-00001");
  const auto entries = index_entries(golden / "part");
  const auto message_with = [&](const std::string& key, const std::string& value) {
    auto changed = entries;
    changed[key] = value;
    write_index(folder / "part", changed);
    return message_of<InputError>([&] { BundleReader{folder / "part"}; });
  };
  const std::string whole = "\x08\x01\x12\x08\x12\x02\x08\x0a\x12\x02\x08\x04"s;
  const auto slice = [](char start, char rows) {
    return "\x3a\x0a\x0a\x04\x08"s + start + "\x10" + rows + "\x0a\x02\x10\x04";
  };
  const std::string first = "\x3a\x08\x0a\x02\x10\x04\x0a\x02\x10\x04"s;
  CHECK(message_with("part0/weights", entries.at("part0/weights")).empty());
  CHECK_THAT(message_with("part0/weights", whole + first + slice(4, 3)),
             Contains("has 40 elements, its 2 parts have 28"));
  CHECK_THAT(message_with("part0/weights", whole + first + slice(4, 3) + slice(5, 3)),
             Contains("its part [5:8,0:4] overlaps another"));
  CHECK_THAT(message_with("part0/weights", whole + first + slice(8, 3)),
             Contains("its part [8:11,0:4] is not inside"));
  CHECK_THAT(message_with("part0/weights", whole + first + slice(4, 6)),
             Contains("no entry for its part [4:10,0:4]"));
  CHECK_THAT(message_with("part0/weights", "\x08\x02" + whole.substr(2) + first + slice(4, 3) + slice(7, 3)),
             Contains("the part [0:4,0:4] is float [4,4], the whole is double [10,4]"));
}

TEST_CASE("bundle: a slice without a length is the whole dimension") {
  const TemporaryFolder folder;
  write_file(folder / "p.data-00000-of-00001", std::string(24, '\1'));
  const Slice slice = {{}, {.start = 0, .length = 3}};
  BundleEntry part{.type = 4, .extents = {8, 3}, .size = 24, .crc = 0x3fd5eb23, .slices = {}};
  WireWriter entry;
  entry.varint(1, 4);
  entry.bytes(2, "\x12\x02\x08\x08\x12\x02\x08\x03");
  entry.bytes(7, "\x0a\x00\x0a\x02\x10\x03"s);
  write_index(folder / "p", {{"", encode_bundle_header({.producer = 1})},
                             {slice_key("v", slice), encode_bundle_entry(part)},
                             {"v", entry.message()}});
  const BundleReader bundle(folder / "p");
  CHECK_THAT(message_of<InputError>([&] { bundle.read("v"); }), Contains("CRC-32C 3fd5eb23 expected"));
}

TEST_CASE("bundle: keys of parts are TensorFlow's") {
  // From a bundle that TensorFlow 2.15 wrote for a variable of 20001 rows in three parts, and golden
  // partitioned_v2.
  CHECK(slice_key("a/big", {{0, 6667}, {0, 3}}) == "\0a/big\0\1\1\2\x80\xda\x0b\x80\x83"s);
  CHECK(slice_key("a/big", {{13334, 6667}, {0, 3}}) == "\0a/big\0\1\1\2\xe0\x34\x16\xda\x0b\x80\x83"s);
  CHECK(slice_key("w", {{65, 65}, {0, 1}}) == "\0w\0\1\1\2\xc0\x41\xc0\x41\x80\x81"s);
  CHECK(slice_key("part0/weights", {{4, 3}, {0, 4}}) == "\0part0/weights\0\1\1\2\x84\x83\x80\x84"s);
  // From the definition of the code: a whole dimension is length -1, bytes 00 and ff are escaped.
  CHECK(slice_key("\0\xff"s, {{}}) == "\0\0\xff\xff\0\0\1\1\1\x80\x7f"s);
}

TEST_CASE("bundle: whatever happens to the files, the tensors are right or there is an input error") {
  const Victim victim;
  const std::string index = file_bytes(victim.index());
  const std::string data = file_bytes(victim.data());
  std::mt19937 random(20240501);
  int right = 0;
  for (int round = 0; round < 4000; ++round) {
    const bool in_index = round % 2 == 0;
    INFO("seed 20240501, round " << round);
    const std::string bytes = mutated(in_index ? index : data, random);
    write_file(victim.index(), in_index ? bytes : index);
    write_file(victim.data(), in_index ? data : bytes);
    const bool same = bytes == (in_index ? index : data);
    const bool read = reads_right(victim.prefix());
    right += read ? 1 : 0;
    if (same) CHECK(read);
  }
  CHECK(right < 400);
}

TEST_CASE("bundle: messages damaged behind right checksums are an input error or read") {
  const TemporaryFolder folder;
  for (const std::string name : {"partitioned_v2/part", "dtypes_v2/dtypes"}) {
    const auto golden = sample_dir() / "checkpoints" / name;
    std::filesystem::copy_file(golden.string() + ".data-00000-of-00001", folder / "x.data-00000-of-00001",
                               std::filesystem::copy_options::overwrite_existing);
    const auto entries = index_entries(golden);
    std::mt19937 random(7);
    for (int round = 0; round < 1500; ++round) {
      INFO("seed 7, round " << round << " of " << name);
      auto changed = entries;
      auto entry = std::next(changed.begin(), static_cast<std::ptrdiff_t>(random() % changed.size()));
      entry->second = mutated(entry->second, random);
      write_index(folder / "x", changed);
      read_everything(folder / "x");
    }
  }
  SUCCEED();
}
