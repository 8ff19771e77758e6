#include "data/records/index_file.h"

#include <thread>

#include "engine/base/crc32c.h"
#include "engine/base/error.h"
#include "tests/data/records/files.h"
#include "tests/data/records/limits.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

const FileIndexes kIndexes = {{"/data/花 1", {.stamp = {100, 7}, .offsets = {0, 30, 100}}},
                              {"/data/none", {.stamp = {0, 8}, .offsets = {0}}}};

bool same(const FileIndexes& a, const FileIndexes& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.stamp == y.second.stamp && x.second.offsets == y.second.offsets;
  });
}

/// What the log says of an index file of this content, from which nothing may come.
std::string fault_of(std::string content) {
  const TemporaryFolder folder;
  LinesLog log;
  CHECK(load_indexes(write_content(folder / "index", content), log).empty());
  CHECK(holds_all(log.lines, {(folder / "index").string(), "is not used", "made again"}));
  return log.lines;
}

/// With its checksum made right again.
std::string resealed(std::string content) {
  content.resize(content.size() - 4);
  const std::uint32_t crc = crc32c(content);
  return content + std::string(reinterpret_cast<const char*>(&crc), 4);
}

std::string saved() {
  const TemporaryFolder folder;
  save_indexes(folder / "index", kIndexes);
  return file_content(folder / "index");
}

}  // namespace

TEST_CASE("index file: what is saved is loaded, and replaces what was there") {
  const TemporaryFolder folder;
  LinesLog log;
  write_content(folder / "index", "old");
  save_indexes(folder / "index", kIndexes);
  CHECK(same(load_indexes(folder / "index", log), kIndexes));
  CHECK(folder.files() == 1);
  CHECK(log.lines.empty());
}

TEST_CASE("index file: one that is missing gives nothing and is no news") {
  const TemporaryFolder folder;
  LinesLog log;
  CHECK(load_indexes(folder / "none", log).empty());
  CHECK(log.lines.empty());
}

TEST_CASE("index file: any flipped bit and any cut is found") {
  const std::string content = saved();
  for (std::size_t i = 0; i < content.size(); ++i) {
    std::string flipped = content;
    flipped[i] ^= 16;
    fault_of(flipped);
    fault_of(content.substr(0, i));
  }
  CHECK(holds_all(fault_of(""), {"it is cut short"}));
  CHECK(holds_all(fault_of("text of some length"), {"it is no index file"}));
  std::string flipped = content;
  flipped[20] ^= 1;
  CHECK(holds_all(fault_of(flipped), {"its checksum is wrong"}));
}

TEST_CASE("index file: another byte order, version or a wrong count is told") {
  std::string foreign = saved();
  std::reverse(foreign.begin(), foreign.begin() + 8);
  CHECK(holds_all(fault_of(resealed(foreign)), {"other byte order"}));
  std::string newer = saved();
  newer[8] = 9;
  CHECK(holds_all(fault_of(resealed(newer)), {"version 9, not 1"}));
  std::string more = saved();
  more[12] = 3;
  CHECK(holds_all(fault_of(resealed(more)), {"longer than the file"}));
  std::string giant = saved();
  for (int i = 0; i < 7; ++i) giant[giant.size() - 4 - 3 * 8 - 8 + i] = '\xff';
  CHECK(holds_all(fault_of(resealed(giant)), {"longer than the file"}));
}

TEST_CASE("index file: writers at the same time leave one whole file") {
  const TemporaryFolder folder;
  LinesLog log;
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i)
    writers.emplace_back([&] {
      for (int round = 0; round < 10; ++round) save_indexes(folder / "index", kIndexes);
    });
  for (std::thread& writer : writers) writer.join();
  CHECK(same(load_indexes(folder / "index", log), kIndexes));
  CHECK(folder.files() == 1);
}

TEST_CASE("index file: a full disk is reported and leaves the older one") {
  const TemporaryFolder folder;
  save_indexes(folder / "index", kIndexes);
  const std::string before = file_content(folder / "index");
  const FileSizeLimit limit(16);
  CHECK(holds_all(message_of<EnvironmentError>([&] { save_indexes(folder / "index", kIndexes); }),
                  {"cannot write", (folder / "index").string(), "disk"}));
  CHECK(file_content(folder / "index") == before);
  CHECK(folder.files() == 1);
}
