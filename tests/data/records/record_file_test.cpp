#include "data/records/record_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/crc32c.h"
#include "engine/base/error.h"
#include "tests/data/records/files.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

const std::string kEmptyRecord = from_hex("000000000000000029039807d8ea82a2");
const std::string kAbcRecord = from_hex("0300000000000000b099490e6162636e57f121");

std::vector<std::string> ten_payloads() {
  std::vector<std::string> payloads;
  for (int i = 0; i < 10; ++i) payloads.push_back("payload " + std::string(static_cast<std::size_t>(i), 'x'));
  return payloads;
}

std::string header_of(std::uint64_t length) {
  std::string header(12, '\0');
  std::memcpy(header.data(), &length, 8);
  const std::uint32_t crc = mask_crc(crc32c(bytes_of(header).first(8)));
  std::memcpy(header.data() + 8, &crc, 4);
  return header;
}

std::string open_error(const std::filesystem::path& path) {
  return message_of<InputError>([&] { RecordFile file(path); });
}

}  // namespace

TEST_CASE("tfrecord: the empty record and \"abc\" are read from their published bytes") {
  const TemporaryFolder folder;
  const RecordFile file(write_content(folder / "two", kEmptyRecord + kAbcRecord));
  REQUIRE(file.size() == 2);
  CHECK(file.reference(1) == RecordReference{.offset = 16, .length = 3});
  CHECK(file.payload_bytes() == 3);
  CHECK(file.read(0).payload.empty());
  CHECK(text_of(file.read(1).payload) == "abc");
  CHECK(file.read(1).origin.record == 1);
  CHECK(file.read(1).origin.byte == 16);
}

TEST_CASE("tfrecord: a file of no bytes holds no records") {
  const TemporaryFolder folder;
  CHECK(RecordFile(write_content(folder / "none", "")).size() == 0);
}

TEST_CASE("tfrecord: a moved file keeps its records") {
  const TemporaryFolder folder;
  RecordFile first(write_records(folder / "a", {"one"}));
  RecordFile second(write_records(folder / "b", {"two"}));
  first = std::move(second);
  CHECK(text_of(first.read(0).payload) == "two");
}

TEST_CASE("tfrecord: a flipped payload bit names file, record, byte and both checksums") {
  const TemporaryFolder folder;
  const auto path = write_records(folder / "ten.tfrecord", ten_payloads());
  const RecordReference seventh = RecordFile(path).reference(7);
  std::string content = file_content(path);
  content[static_cast<std::size_t>(seventh.offset) + 14] ^= 4;
  write_content(path, content);
  const RecordFile file(path);
  CHECK_NOTHROW(file.read(6));
  CHECK_NOTHROW(file.read(8));
  const std::string message = message_of<InputError>([&] { file.read(7); });
  std::uint32_t stored;
  std::memcpy(&stored, content.data() + seventh.offset + 12 + seventh.length, 4);
  const std::uint32_t found = mask_crc(crc32c(bytes_of(content).subspan(
      static_cast<std::size_t>(seventh.offset) + 12, static_cast<std::size_t>(seventh.length))));
  CHECK(holds_all(message, {path.string(), "payload checksum", "record 7",
                            fmt::format("byte {}", seventh.offset), fmt::format("expected {:#010x}", stored),
                            fmt::format("found {:#010x}", found), "copy or write it again"}));
}

TEST_CASE("tfrecord: a flipped length bit names the length checksum and its record") {
  const TemporaryFolder folder;
  const auto path = write_records(folder / "ten.tfrecord", ten_payloads());
  const std::int64_t offset = RecordFile(path).reference(3).offset;
  std::string content = file_content(path);
  content[static_cast<std::size_t>(offset)] ^= 1;
  CHECK(holds_all(open_error(write_content(path, content)),
                  {path.string(), "length checksum", "record 3", fmt::format("byte {}", offset)}));
}

TEST_CASE("tfrecord: a truncated tail is reported with the number of good records before it") {
  const TemporaryFolder folder;
  const auto path = write_records(folder / "ten.tfrecord", ten_payloads());
  const std::string content = file_content(path);
  const std::int64_t last = RecordFile(path).reference(9).offset;
  for (const std::size_t cut : {1, 4, 5, 12, 25}) {
    const std::string cut_off = content.substr(0, content.size() - cut);
    CHECK(
        holds_all(open_error(write_content(path, cut_off)),
                  {path.string(), "truncated", "record 9", "9 good records", fmt::format("byte {}", last)}));
  }
}

TEST_CASE("tfrecord: a giant length with a right checksum is compared with the bytes left") {
  const TemporaryFolder folder;
  const std::pair<std::uint64_t, std::string> cases[] = {
      {std::uint64_t{1} << 62, "4611686018427387908 bytes"},
      {~std::uint64_t{0}, "18446744073709551615 bytes"},
      {1, "expected 5 bytes"}};
  for (const auto& [length, expected] : cases) {
    const auto path = write_content(folder / "giant", kAbcRecord + header_of(length) + "1234");
    CHECK(holds_all(open_error(path),
                    {"truncated", expected, "4 are left", "record 1", "byte 19", "1 good records"}));
  }
}

TEST_CASE("tfrecord: a file that is something else is called by its name") {
  const TemporaryFolder folder;
  const std::string tar = std::string(257, '\0') + "ustar" + std::string(250, '\0');
  const std::pair<std::string, std::string> cases[] = {
      {std::string(200, 'a') + "\n", "a text file"},
      {"short", "a text file"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 12345\n", "git-LFS pointer"},
      {"  <!DOCTYPE HTML><html><body>404</body></html>", "HTML"},
      {"<html><head></head></html>", "HTML"},
      {from_hex("1f8b0800000000000003") + "....", "gzip"},
      {from_hex("789c") + "............", "zlib"},
      {from_hex("7801") + "............", "zlib"},
      {from_hex("78da") + "............", "zlib"},
      {from_hex("504b0304") + "............", "zip archive"},
      {tar, "tar archive"},
      {from_hex("89504e470d0a1a0a") + "............", "PNG"},
      {from_hex("ffd8ffe0") + "............", "JPEG"},
      {"GIF89a............", "GIF"},
      {"BM................", "BMP"},
  };
  for (const auto& [content, name] : cases) {
    const auto path = write_content(folder / "x.tfrecord", content);
    CHECK(holds_all(open_error(path), {path.string(), "looks like", name, ";"}));
  }
}

TEST_CASE("tfrecord: bytes that look like nothing fail at the first length checksum") {
  const TemporaryFolder folder;
  const auto path = write_content(folder / "x", from_hex("00010203040506070809fefdfcfb"));
  CHECK(holds_all(open_error(path), {path.string(), "length checksum", "record 0", "byte 0"}));
}

TEST_CASE("records: a missing file, a folder and a pipe are named") {
  const TemporaryFolder folder;
  CHECK(holds_all(open_error(folder / "absent.tfrecord"), {"absent.tfrecord", "there is none"}));
  CHECK(holds_all(open_error(folder.path()), {folder.path().string(), "is a folder"}));
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(holds_all(open_error(folder / "pipe"), {"pipe or device"}));
}

TEST_CASE("records: a file that may not be read, or a link in a circle, is a fault of the environment") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("loop", folder / "loop");
  CHECK(holds_all(message_of<EnvironmentError>([&] { RecordFile file(folder / "loop"); }),
                  {"cannot open", "loop", "symbolic links"}));
  if (::geteuid() == 0) {
    WARN("permission is not checked: the superuser may read everything");
    return;
  }
  const auto path = write_content(folder / "secret", kAbcRecord);
  std::filesystem::permissions(path, std::filesystem::perms::none);
  CHECK(holds_all(message_of<EnvironmentError>([&] { RecordFile file(path); }), {"secret", "ermission"}));
}
