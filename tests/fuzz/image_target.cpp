#include "data/images/decode.h"
#include "data/images/formats.h"
#include "tests/fuzz/target.h"

using namespace fastnn;

// FASTNN_FUZZED_FORMAT is the name of the format: one program each.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::span<const std::byte> encoded) {
    const ImageFormat* format = sniff_format(encoded);
    if (format == nullptr || format->name != FASTNN_FUZZED_FORMAT) return;
    const EncodedImage image(encoded, {.limits = {.max_side = 4096, .max_pixels = 1 << 16},
                                       .orientation = DecodeOptions::Orientation::from_exif,
                                       .channels = encoded.size() % 2 == 0 ? 3 : 1});
    const ImageInfo& info = image.info();
    Image whole, part;
    image.decode(whole);
    fuzz::require(whole.height() == info.height && whole.width() == info.width);
    const Rectangle crop = {.top = info.height / 3,
                            .left = info.width / 3,
                            .height = info.height - info.height / 3,
                            .width = info.width / 2 + 1 - info.width / 3};
    image.decode_crop(crop, part);
    fuzz::require(part.height() == crop.height && part.width() == crop.width);
  });
}
