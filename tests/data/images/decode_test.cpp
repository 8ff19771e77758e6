#include "data/images/decode.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/core/error.h"
#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// A row of decode_golden.tsv: what TensorFlow's decode_image made of a file.
struct GoldenRow {
  std::string path, verdict, shape, crc;
};

std::vector<GoldenRow> png_rows(const std::filesystem::path& decoder_folder) {
  std::vector<GoldenRow> rows;
  std::ifstream table(golden_dir() / "preprocessing/decode_golden.tsv");
  for (std::string line; std::getline(table, line);) {
    std::istringstream fields(line);
    GoldenRow row;
    for (std::string* field : {&row.path, &row.verdict, &row.shape, &row.crc})
      std::getline(fields, *field, '\t');
    if (!std::filesystem::is_regular_file(decoder_folder / row.path)) continue;
    const auto bytes = file_bytes(decoder_folder / row.path);
    const ImageFormat* format = sniff_format(bytes);
    if (format != nullptr && format->name == "png") rows.push_back(row);
  }
  return rows;
}

std::string verdict_of(const std::filesystem::path& path, std::string& message) {
  try {
    const Image image = decode_image(file_bytes(path));
    return fmt::format("{}x{}x{} {:08x}", image.height(), image.width(), image.channels(),
                       plain_crc32c(image.pixels()));
  } catch (const InputError& error) {
    message = error.what();
    return "error";
  }
}

}  // namespace

TEST_CASE("golden: PNG images of the golden folder decode to TensorFlow's pixels") {
  int compared = 0;
  const auto golden = golden_json("preprocessing/decode_and_eval.json");
  for (const auto& row : golden["images"]) {
    const std::string file = row["file"];
    if (!file.ends_with(".png")) continue;
    CAPTURE(file);
    const Image image = decode_image(file_bytes(golden_dir() / "preprocessing" / file));
    const auto& expected = row["decode"]["decode_image"];
    CHECK(expected["shape"] == nlohmann::json{image.height(), image.width(), image.channels()});
    CHECK(fmt::format("{:08x}", plain_crc32c(image.pixels())) == expected["crc32c"].get<std::string>());
    ++compared;
  }
  CHECK(compared == 3);
}

TEST_CASE("golden: every PNG of the decoder collection decodes, or fails, as in TensorFlow") {
  const auto folder = data_dir() / "decoder";
  if (data_dir().empty()) {
    WARN("skipped: the folder of real data files (FASTNN_DATA_DIR) is absent");
    return;
  }
  const auto rows = png_rows(folder);
  CHECK(rows.size() > 100);
  for (const GoldenRow& row : rows) {
    CAPTURE(row.path);
    std::string message;
    const std::string verdict = verdict_of(folder / row.path, message);
    CAPTURE(message);
    CHECK(verdict == (row.verdict == "ok" ? row.shape + " " + row.crc : "error"));
  }
}

TEST_CASE("decode: formats are told by their first bytes and refused by name where unsupported") {
  const std::pair<std::string_view, std::string_view> cases[] = {{"\xff\xd8\xff\xe0", "jpeg"},
                                                                 {"GIF89a..", "gif"},
                                                                 {"BM123456", "bmp"},
                                                                 {"RIFF1234WEBPVP8 ", "webp"},
                                                                 {{"II*\0....", 8}, "tiff"}};
  for (const auto& [text, name] : cases) {
    CAPTURE(name);
    const ImageFormat* format = sniff_format(bytes_of(text));
    REQUIRE(format != nullptr);
    CHECK(format->name == name);
    if (format->decode == nullptr)
      CHECK_THROWS_WITH(decode_image(bytes_of(text)),
                        Contains("this is a " + std::string(name) + " image") && Contains("supported: png"));
  }
}

TEST_CASE("decode: bytes of no image format are shown, empty bytes are said to be empty") {
  CHECK_THROWS_AS(decode_image(bytes_of("hello, world")), InputError);
  CHECK_THROWS_WITH(decode_image(bytes_of("hello, world")),
                    Contains("12 bytes that start with 68 65 6c 6c 6f 2c 20 77"));
  CHECK_THROWS_WITH(decode_image(bytes_of("RIFF1234WAVE")), Contains("not an image of a known format"));
  CHECK_THROWS_WITH(decode_image({}), Contains("is empty: 0 bytes"));
}
