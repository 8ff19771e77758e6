#include "data/synth/photos.h"

#include "data/images/decode.h"
#include "data/images/jpeg_encoder.h"
#include "data/records/example.h"
#include "data/records/record_file.h"
#include "data/synth/write_photos.h"
#include "engine/base/error.h"
#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"
#include "tests/support/run_command.h"

using namespace fastnn;
using namespace fastnn::tests;

TEST_CASE("photos: JPEGs of 500 x 375 pixels have 110 KB on average, and every one is another") {
  const TemporaryFolder folder;
  const auto files =
      write_photos({.output_dir = folder / "photos", .train_samples = 12, .validation_samples = 2}, {});
  REQUIRE(files.size() == 2);
  const RecordFile records(files[0].path);
  REQUIRE(records.size() == 12);
  CHECK(double(records.payload_bytes()) / 12 == Approx(110e3).epsilon(0.1));
  const Example first(records.read(0).payload, records.origin(0));
  const Image image = decode_image(first.bytes("image/encoded"));
  CHECK(image.width() == 500);
  CHECK(image.height() == 375);
  CHECK_FALSE(std::ranges::equal(records.read(0).payload, records.read(1).payload));
}

TEST_CASE("photos: a picture depends on seed, split and index alone") {
  CHECK(same_image(draw_photo(1, "train", 3), draw_photo(1, "train", 3)));
  CHECK_FALSE(same_image(draw_photo(1, "train", 3), draw_photo(2, "train", 3)));
  CHECK_FALSE(same_image(draw_photo(1, "train", 3), draw_photo(1, "validation", 3)));
}

TEST_CASE("jpeg encoder: what it writes decodes to nearly the same pixels, and less quality to fewer bytes") {
  const Image photo = draw_photo(1, "train", 0);
  const auto fine = encode_jpeg(photo, 100), coarse = encode_jpeg(photo, 50);
  CHECK(coarse.size() < fine.size() / 3);
  const Image decoded = decode_image(fine);
  double squares = 0;
  for (std::size_t i = 0; i < photo.pixels().size(); ++i) {
    const double difference = double(decoded.pixels()[i]) - photo.pixels()[i];
    squares += difference * difference;
  }
  // Chroma is halved, where neighbouring discs differ by up to 35.
  CHECK(squares / double(photo.pixels().size()) < 36);
  CHECK_THROWS_AS(encode_jpeg(photo, 0), UsageError);
  CHECK_THROWS_AS(encode_jpeg(Image(2, 2, 1), 90), UsageError);
}
