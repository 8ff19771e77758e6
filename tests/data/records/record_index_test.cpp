#include <sys/stat.h>

#include "data/records/record_set.h"
#include "engine/base/error.h"
#include "tests/data/records/compressed.h"
#include "tests/data/records/files.h"
#include "tests/data/records/limits.h"

using namespace fastnn;
using namespace fastnn::tests;
namespace fs = std::filesystem;

namespace {

/// Record files in one folder and the index in another.
struct Files {
  std::string open(const RecordSetOptions& options = {}) {
    LinesLog log;
    RecordSetOptions all = options;
    if (!all.index_dir) all.index_dir = index.path();
    const RecordSet set(paths, all, log);
    payloads.clear();
    for (std::int64_t i = 0; i < set.size(); ++i) payloads += std::string(text_of(set.read(i).payload)) + " ";
    return log.lines;
  }

  std::vector<fs::path> kept(const std::string& beginning = ".fastnn-index-") const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(index.path()))
      if (entry.path().filename().string().starts_with(beginning)) files.push_back(entry.path());
    return files;
  }

  fs::path index_file() const {
    REQUIRE(kept().size() == 1);
    return kept()[0];
  }

  TemporaryFolder folder, index;
  std::vector<fs::path> paths{write_records(folder / "a", {"0", "1"}), write_records(folder / "b", {"2"})};
  std::string payloads;
};

void touch(const fs::path& path) {
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(5));
}

}  // namespace

TEST_CASE("record index: it is made once, and a second opening reads no header") {
  Files files;
  files.open();
  const std::string index = file_content(files.index_file());
  // The length checksum of record 1: whoever scans the file sees it.
  const auto time = fs::last_write_time(files.paths[0]);
  std::string content = file_content(files.paths[0]);
  content[17 + 8] ^= 1;
  write_content(files.paths[0], content);
  fs::last_write_time(files.paths[0], time);
  files.open();
  CHECK(files.payloads == "0 1 2 ");
  CHECK(file_content(files.index_file()) == index);
  fs::remove(files.index_file());
  CHECK(holds_all(message_of<InputError>([&] { files.open(); }), {"length checksum", "record 1", "byte 17"}));
}

TEST_CASE("record index: without a folder for it nothing is written") {
  Files files;
  NoLog log;
  const RecordSet set(files.paths, {}, log);
  CHECK(set.size() == 3);
  CHECK(files.folder.files() == 2);
}

TEST_CASE("record index: by default it stands beside the files, hidden from patterns") {
  Files files;
  files.open({.index_dir = ""});
  CHECK(files.folder.files() == 3);
  for (const auto& entry : fs::directory_iterator(files.folder.path()))
    CHECK((entry.path().filename().string().size() == 1 || entry.path().filename().string()[0] == '.'));
}

TEST_CASE("record index: a file whose time or size changed is indexed again, with a word, and kept") {
  Files files;
  files.open();
  touch(files.paths[1]);
  CHECK(holds_all(files.open(), {files.paths[1].string() + " has changed since", "indexed again"}));
  CHECK(files.open().find("changed") == std::string::npos);
  write_records(files.paths[0], {"x", "y", "z"});
  CHECK(holds_all(files.open(), {files.paths[0].string() + " has changed since"}));
  CHECK(files.payloads == "x y z 2 ");
}

TEST_CASE("record index: a damaged or foreign index file is ignored with a word and written again") {
  Files files;
  files.open();
  const std::string good = file_content(files.index_file());
  std::string foreign = good;
  std::reverse(foreign.begin(), foreign.begin() + 8);
  for (const std::string& bad : {std::string(), good.substr(0, good.size() / 2), good + "x", foreign}) {
    write_content(files.index_file(), bad);
    CHECK(holds_all(files.open(), {"is not used"}));
    CHECK(files.payloads == "0 1 2 ");
    CHECK(file_content(files.index_file()) == good);
  }
}

TEST_CASE("record index: sets of other files have index files of their own") {
  Files files;
  files.open();
  std::swap(files.paths[0], files.paths[1]);
  files.open();
  CHECK(files.payloads == "2 0 1 ");
  CHECK(files.kept().size() == 2);
}

TEST_CASE("record index: one that cannot be written is a warning, and the set is read") {
  Files files;
  const FileSizeLimit limit(8);
  CHECK(holds_all(files.open(), {"warning", "cannot write", "indexed again in the next run"}));
  CHECK(files.payloads == "0 1 2 ");
}

TEST_CASE("record index: the first bad file of several is the one named, whichever thread sees it") {
  Files files;
  for (const auto& path : files.paths) write_content(path, "this is text, no record");
  CHECK(holds_all(message_of<InputError>([&] { files.open(); }), {files.paths[0].string(), "a text file"}));
  fs::remove(files.paths[1]);
  CHECK(holds_all(message_of<InputError>([&] { files.open(); }), {files.paths[1].string(), "there is none"}));
}

TEST_CASE("record index: a long scan says how far it is") {
  Files files;
  RecordWriter writer(files.paths[0]);
  for (int i = 0; i < 300'000; ++i) writer.write("");
  writer.close();
  LinesLog log;
  const RecordSet set({files.paths[0]}, {.progress_interval = std::chrono::milliseconds(0)}, log);
  CHECK(holds_all(log.lines, {"indexing the records: ", "GB, 0 of 1 files"}));
}

TEST_CASE(
    "record index: damage between records loses the rest of the file where that is allowed, each time") {
  Files files;
  std::string content = file_content(files.paths[0]);
  content[17] ^= 1;
  write_content(files.paths[0], content);
  for (int round = 0; round < 2; ++round) {
    CHECK(holds_all(files.open({.damage = RecordSetOptions::Damage::skip}),
                    {"warning", "bytes 17 .. 34 of " + files.paths[0].string() + " are lost",
                     "length checksum", "record 1"}));
    CHECK(files.payloads == "0 2 ");
    CHECK(files.kept().empty());
  }
  CHECK_THROWS_AS(files.open(), InputError);
}

TEST_CASE(
    "compressed records: gzip and zlib are inflated once, into hidden files, and read like plain ones") {
  Files files;
  for (const int window_bits : {31, 15}) {
    write_content(files.paths[0],
                  deflated(file_content(write_records(files.folder / "x", {"5", "6"})), window_bits));
    touch(files.paths[0]);
    CHECK(holds_all(files.open(), {"inflating " + files.paths[0].string()}));
    CHECK(files.payloads == "5 6 2 ");
    CHECK(files.open().find("inflating") == std::string::npos);
    CHECK(files.payloads == "5 6 2 ");
    touch(files.paths[0]);
    CHECK(holds_all(files.open(), {"inflating"}));
    CHECK(files.kept(".fastnn-inflated-").size() == 1);
  }
}

TEST_CASE("compressed records: an error in them names the compressed file") {
  Files files;
  std::string content = file_content(files.paths[0]);
  content[12] ^= 1;
  write_content(files.paths[0], deflated(content));
  CHECK(holds_all(message_of<InputError>([&] { files.open(); }),
                  {"payload checksum", files.paths[0].string() + ", record 0, byte 0"}));
  const std::string stream = deflated(std::string(5000, 'x'));
  write_content(files.paths[0], stream.substr(0, stream.size() / 2));
  CHECK(holds_all(message_of<InputError>([&] { files.open(); }), {files.paths[0].string(), "cut short"}));
  write_content(files.paths[0], deflated("this is text, no record"));
  CHECK(holds_all(message_of<InputError>([&] { files.open(); }), {files.paths[0].string(), "a text file"}));
  write_content(files.paths[0], deflated(std::string(5000, 'x')));
  CHECK(holds_all(message_of<InputError>([&] { files.open({.max_inflated_bytes = 100}); }),
                  {files.paths[0].string(), "more than 100 bytes"}));
}

TEST_CASE("compressed records: a full disk is a fault of the environment") {
  Files files;
  write_content(files.paths[0], deflated(std::string(3'000'000, 'x')));
  const FileSizeLimit limit(100'000);
  CHECK(holds_all(message_of<EnvironmentError>([&] { files.open(); }), {"cannot write", "disk"}));
  CHECK(files.kept(".").empty());
}
