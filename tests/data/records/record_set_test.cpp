#include "data/records/record_set.h"

#include "engine/base/error.h"
#include "tests/data/records/files.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

void flip(const std::filesystem::path& path, std::size_t byte) {
  std::string content = file_content(path);
  content.at(byte) ^= 1;
  write_content(path, content);
}

}  // namespace

TEST_CASE("record set: records are numbered over the files in the order given") {
  const TemporaryFolder folder;
  LinesLog log;
  const RecordSet set({write_records(folder / "b", {"0", "1"}), write_records(folder / "none", {}),
                       write_records(folder / "a", {"2", "3", "4"})},
                      {}, log);
  REQUIRE(set.size() == 5);
  CHECK(set.records_per_file() == std::vector<std::int64_t>{2, 0, 3});
  CHECK(set.payload_bytes() == 5);
  for (int i = 0; i < 5; ++i) CHECK(text_of(set.read(i).payload) == std::to_string(i));
  CHECK(set.origin(3).file == folder / "a");
  CHECK(set.origin(3).record == 1);
  CHECK(set.origin(3).byte == 17);
  CHECK(holds_all(log.lines, {"warning: " + (folder / "none").string() + " holds no records",
                              "5 records in 3 files", "of index, 0.0 MB of records"}));
}

TEST_CASE("record set: of three files the damaged one is named") {
  const TemporaryFolder folder;
  const std::vector<std::filesystem::path> files{write_records(folder / "s0", {"aaa", "bbb"}),
                                                 write_records(folder / "s1", {"ccc", "ddd"}),
                                                 write_records(folder / "s2", {"eee", "fff"})};
  flip(files[1], 19 + 13);
  NoLog log;
  const RecordSet set(files, {}, log);
  for (const int good : {0, 1, 2, 4, 5}) CHECK_NOTHROW(set.read(good));
  const std::string message = message_of<InputError>([&] { set.read(3); });
  CHECK(holds_all(message, {files[1].string(), "record 1", "byte 19"}));
  CHECK(message.find("s0") == std::string::npos);
}

TEST_CASE("record set: no files, and files without records, are refused with their names") {
  const TemporaryFolder folder;
  NoLog log;
  CHECK(holds_all(message_of<InputError>([&] { RecordSet set({}, {}, log); }), {"none were given"}));
  std::vector<std::filesystem::path> files;
  for (int i = 0; i < 10; ++i) files.push_back(write_content(folder / fmt::format("f{}", i), ""));
  CHECK(holds_all(message_of<InputError>([&] { RecordSet set(files, {}, log); }),
                  {"none are in the 10 files", files[0].string(), "2 more"}));
}

TEST_CASE("record set: a record outside is the caller's mistake") {
  const TemporaryFolder folder;
  NoLog log;
  const RecordSet set({write_records(folder / "a", {"0"})}, {}, log);
  CHECK(holds_all(message_of<UsageError>([&] { set.read(1); }), {"record 1", "1 records"}));
  CHECK_THROWS_AS(set.origin(-1), UsageError);
}

TEST_CASE("record set: the cache keeps records up to its limit, and they are read once") {
  const TemporaryFolder folder;
  NoLog log;
  const auto path = write_records(folder / "a", {"aaaa", "bbbb", "", "cccc"});
  const RecordSet set({path}, {.cache_bytes = 9}, log);
  for (int i = 0; i < 4; ++i) set.read(i);
  CHECK(set.cached_bytes() == 8);
  // The map is shared: a flipped bit shows in the records that are not kept.
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  for (const int offset : {12, 20 + 12, 40 + 16 + 12}) file.seekp(offset).put('z');
  file.close();
  CHECK(text_of(set.read(0).payload) == "aaaa");
  CHECK(text_of(set.read(1).payload) == "bbbb");
  CHECK(set.read(0).origin.file == path);
  CHECK_THROWS_AS(set.read(3), InputError);
}
