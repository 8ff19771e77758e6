#include "data/images/jpeg_header.h"
#include "tests/fuzz/target.h"

using namespace fastnn;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::span<const std::byte> tiff) {
    const int orientation = exif_orientation(tiff);
    fuzz::require(orientation >= 1 && orientation <= 8);
  });
}
