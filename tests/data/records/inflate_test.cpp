#include "data/records/inflate.h"

#include "engine/base/error.h"
#include "tests/data/records/compressed.h"
#include "tests/data/records/files.h"
#include "tests/data/records/limits.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

std::string inflated(const std::string& stream, const InflateOptions& options = {}) {
  const TemporaryFolder folder;
  const auto bytes = inflate_to_file(bytes_of(stream), "source.gz", folder / "target", options);
  const std::string content = file_content(folder / "target");
  CHECK(bytes == static_cast<std::int64_t>(content.size()));
  return content;
}

std::string inflate_error(const std::string& stream, const InflateOptions& options = {}) {
  const TemporaryFolder folder;
  const std::string message = message_of<InputError>(
      [&] { inflate_to_file(bytes_of(stream), "source.gz", folder / "target", options); });
  CHECK(folder.files() == 0);
  return message;
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i * 7919 % 65'537);
  return text;
}

}  // namespace

TEST_CASE("inflate: gzip and zlib streams, of one and of several members, come out as they went in") {
  const std::string text = long_text();
  CHECK(inflated(deflated(text)) == text);
  CHECK(inflated(deflated(text, 15)) == text);
  CHECK(inflated(deflated("")) == "");
  CHECK(inflated(deflated("one") + deflated("") + deflated("two")) == "onetwo");
  CHECK(inflated(deflated("one") + std::string(100, '\0')) == "one");
}

TEST_CASE("inflate: a stream cut anywhere is an error with bytes, and leaves no file") {
  const std::string stream = deflated(long_text());
  for (const std::size_t bytes : {std::size_t{3}, std::size_t{10}, stream.size() / 2, stream.size() - 1})
    CHECK(holds_all(inflate_error(stream.substr(0, bytes)),
                    {"source.gz", "cut short", fmt::format("of {}", bytes), "inflated bytes"}));
}

TEST_CASE("inflate: damage and bytes after the end are errors with the place") {
  std::string stream = deflated(long_text());
  stream[stream.size() - 6] ^= 1;
  CHECK(holds_all(inflate_error(stream), {"source.gz", "incorrect data check", "byte"}));
  stream = deflated(long_text());
  stream[stream.size() / 2] ^= 1;
  inflate_error(stream);
  CHECK(holds_all(inflate_error(deflated("one") + "more"), {"other bytes follow its end"}));
}

TEST_CASE("inflate: more than the limit is refused") {
  CHECK(holds_all(inflate_error(deflated(std::string(5'000'000, 'x')), {.max_bytes = 1'000'000}),
                  {"source.gz", "more than 1000000 bytes"}));
}

TEST_CASE("inflate: a full disk is a fault of the environment and leaves no file") {
  const TemporaryFolder folder;
  const std::string stream = deflated(std::string(5'000'000, 'x'));
  const FileSizeLimit limit(2'500'000);
  CHECK(holds_all(message_of<EnvironmentError>(
                      [&] { inflate_to_file(bytes_of(stream), "source.gz", folder / "target"); }),
                  {"cannot write", "target", "disk"}));
  CHECK(folder.files() == 0);
}
