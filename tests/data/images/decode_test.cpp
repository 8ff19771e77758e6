#include "data/images/decode.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "data/images/formats.h"
#include "data/images/png.h"
#include "engine/base/error.h"
#include "tests/data/images/corpus.h"
#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

std::string crc_of(const Image& image) {
  return fmt::format("{:08x}", plain_crc32c(image.pixels()));
}

std::string verdict_of(const std::filesystem::path& path, std::string& message) {
  try {
    const Image image = decode_image(file_bytes(path), {.jpeg_dct = JpegDct::fast});
    return fmt::format("{}x{}x{} {}", image.height(), image.width(), image.channels(), crc_of(image));
  } catch (const InputError& error) {
    message = error.what();
    return "error";
  }
}

}  // namespace

TEST_CASE("golden: images of the golden folder decode to TensorFlow's pixels, with both transforms") {
  if (!has_golden("preprocessing/decode_and_eval.json")) return;
  int compared = 0;
  const auto golden = golden_json("preprocessing/decode_and_eval.json");
  const std::pair<JpegDct, const char*> transforms[] = {{JpegDct::fast, "decode_image"},
                                                        {JpegDct::accurate, "decode_jpeg_INTEGER_ACCURATE"}};
  for (const auto& row : golden["images"])
    for (const auto& [transform, key] : transforms) {
      const std::string file = row["file"];
      CAPTURE(file, key);
      const Image image =
          decode_image(file_bytes(golden_dir() / "preprocessing" / file), {.jpeg_dct = transform});
      const auto& expected = row["decode"][key];
      CHECK(expected["shape"] == nlohmann::json{image.height(), image.width(), image.channels()});
      CHECK(crc_of(image) == expected["crc32c"].get<std::string>());
      ++compared;
    }
  CHECK(compared > 0);
}

TEST_CASE("golden: every file of the decoder collection decodes, or fails, as in TensorFlow") {
  if (!has_golden("preprocessing/decode_golden.tsv") || skip_without_decoder_folder()) return;
  const auto rows = decode_rows(golden_dir());
  CHECK_FALSE(rows.empty());
  for (const DecodeRow& row : rows) {
    CAPTURE(row.path);
    std::string message;
    const std::string verdict = verdict_of(decoder_folder() / row.path, message);
    CAPTURE(message);
    CHECK(verdict == (row.verdict == "ok" ? row.shape + " " + row.crc : "error"));
  }
}

TEST_CASE("decode: broken files of the decoder collection are refused for the right reason") {
  if (skip_without_decoder_folder()) return;
  const std::pair<const char*, const char*> kReasons[] = {
      {"libjpeg-turbo/monkey12.jpg", "Unsupported JPEG data precision 12"},
      {"libjpeg-turbo/monkey16.pgm", "not an image of a known format"},
      {"libjpeg-turbo/test.scan", "not an image of a known format"},
      {"pillow/hopper.webp", "this is a webp image of 3282 bytes"},
      {"pillow/hopper_rle8.bmp", "8 bits and compression 1; convert it to png"},
      {"pillow/no_palette.gif", "its first frame has no colours"},
      {"pillow/truncated_jpeg.jpg", "the data end early"},
      {"pillow/ultrahdr.jpg", "the data end early"}};
  for (const auto& [path, reason] : kReasons) {
    CAPTURE(path);
    CHECK_THROWS_AS(decode_image(file_bytes(decoder_folder() / path)), InputError);
    CHECK_THROWS_WITH(decode_image(file_bytes(decoder_folder() / path)), Contains(reason));
  }
}

TEST_CASE("decode: formats are told by their first bytes and refused by name where unsupported") {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"\xff\xd8\xff\xe0", "jpeg"}, {"GIF89a..", "gif"},        {"BM123456", "bmp"},
      {"RIFF1234WEBPVP8 ", "webp"}, {{"II*\0....", 8}, "tiff"}, {{"MM\0*....", 8}, "tiff"}};
  for (const auto& [text, name] : cases) {
    CAPTURE(name);
    const ImageFormat* format = sniff_format(bytes_of(text));
    REQUIRE(format != nullptr);
    CHECK(format->name == name);
    if (format->decode == nullptr)
      CHECK_THROWS_WITH(decode_image(bytes_of(text)),
                        Contains(fmt::format("this is a {} image of {} bytes", name, text.size())) &&
                            Contains("supported: png, jpeg, gif, bmp"));
  }
}

TEST_CASE("decode: bytes of no image format are shown, empty bytes are said to be empty") {
  CHECK_THROWS_AS(decode_image(bytes_of("hello, world")), InputError);
  CHECK_THROWS_WITH(decode_image(bytes_of("hello, world")),
                    Contains("12 bytes that start with 68 65 6c 6c 6f 2c 20 77"));
  CHECK_THROWS_WITH(decode_image(bytes_of("RIFF1234WAVE")), Contains("not an image of a known format"));
  CHECK_THROWS_WITH(decode_image({}), Contains("is empty: 0 bytes"));
}

TEST_CASE("decode: sizes beyond the limits are refused before the pixels are allocated") {
  const auto encoded = encode_png(ramp_image(10, 20, 1));
  CHECK_THROWS_WITH(decode_image(encoded, {.limits = {.max_side = 19}}),
                    Contains("exceeds the limit of 19 a side"));
  CHECK_THROWS_WITH(decode_image(encoded, {.limits = {.max_pixels = 199}}),
                    Contains("10 x 20 pixels") && Contains("and 199 in all"));
  CHECK_NOTHROW(decode_image(encoded, {.limits = {.max_side = 20, .max_pixels = 200}}));
}

TEST_CASE("decode: an image without pixels is refused") {
  auto png = encode_png(ramp_image(1, 1, 1));
  png[23] = std::byte{0};
  CHECK_THROWS_WITH(decode_image(png), Contains("png of 0 x 1 pixels has no pixel"));
}
