#include "data/records/record_writer.h"

#include "data/records/record_file.h"
#include "engine/base/error.h"
#include "tests/data/records/files.h"
#include "tests/data/records/limits.h"

using namespace fastnn;
using namespace fastnn::tests;

TEST_CASE("record writer: the empty record and \"abc\" have their published bytes") {
  const TemporaryFolder folder;
  RecordWriter writer(folder / "out");
  writer.write("");
  writer.write("abc");
  writer.close();
  CHECK(writer.records() == 2);
  CHECK(file_content(folder / "out") ==
        from_hex("000000000000000029039807d8ea82a20300000000000000b099490e6162636e57f121"));
}

TEST_CASE("record writer: payloads larger than the buffer come back") {
  const TemporaryFolder folder;
  const std::string large(3'000'001, 'q');
  const RecordFile file(write_records(folder / "out", {"first", large, "last"}));
  CHECK(text_of(file.read(1).payload) == large);
  CHECK(text_of(file.read(2).payload) == "last");
}

TEST_CASE("record writer: nothing has the final name before close, and nothing is left without it") {
  const TemporaryFolder folder;
  {
    RecordWriter writer(folder / "out");
    writer.write("abc");
    CHECK_FALSE(std::filesystem::exists(folder / "out"));
    CHECK(folder.files() == 1);
    CHECK(
        std::filesystem::directory_iterator(folder.path())->path().filename().string().starts_with(".out."));
  }
  CHECK(folder.files() == 0);
}

TEST_CASE("record writer: close replaces an older file and leaves no temporary") {
  const TemporaryFolder folder;
  write_content(folder / "out", "old");
  RecordWriter writer(folder / "out");
  writer.write("new");
  CHECK(file_content(folder / "out") == "old");
  writer.close();
  writer.close();
  CHECK(folder.files() == 1);
  CHECK(text_of(RecordFile(folder / "out").read(0).payload) == "new");
}

TEST_CASE("record writer: a write after close is the caller's mistake") {
  const TemporaryFolder folder;
  RecordWriter writer(folder / "out");
  writer.close();
  CHECK(holds_all(message_of<UsageError>([&] { writer.write("x"); }), {"out", "after close()"}));
}

TEST_CASE("record writer: a full disk is reported and leaves nothing half-written") {
  const TemporaryFolder folder;
  write_content(folder / "out", "old");
  const FileSizeLimit limit(2'500'000);
  RecordWriter writer(folder / "out");
  const std::string message = message_of<EnvironmentError>([&] {
    for (int i = 0; i < 5; ++i) writer.write(std::string(1'000'000, 'x'));
    writer.close();
  });
  CHECK(holds_all(message, {"cannot write", (folder / "out").string(), "too large", "disk"}));
  CHECK(folder.files() == 1);
  CHECK(file_content(folder / "out") == "old");
  CHECK_THROWS_AS(writer.write("x"), UsageError);
}

TEST_CASE("record writer: a folder that is not there, and a folder in the file's place, are reported") {
  const TemporaryFolder folder;
  CHECK(holds_all(message_of<EnvironmentError>([&] { RecordWriter writer(folder / "absent/out"); }),
                  {"cannot create", "absent/out", "No such file"}));
  std::filesystem::create_directories(folder / "taken/inside");
  RecordWriter writer(folder / "taken");
  CHECK(holds_all(message_of<EnvironmentError>([&] { writer.close(); }), {"cannot rename", "taken"}));
  CHECK(folder.files() == 1);
}
