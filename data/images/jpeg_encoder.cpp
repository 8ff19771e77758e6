#include "data/images/jpeg_encoder.h"

#include <cstdio>
// jpeglib.h needs FILE of the header above.
#include <jpeglib.h>

#include <cstdlib>
#include <span>

#include "engine/base/error.h"

namespace fastnn {

// libjpeg ends the program where memory is refused; nothing else can fail with the arguments that are let in.
std::vector<std::byte> encode_jpeg(const Image& image, int quality) {
  if (image.channels() != 3 || image.pixels().empty() || quality < 1 || quality > 100)
    throw UsageError(
        "[images] a jpeg needs 3 channels, a pixel and a quality of 1 to 100: got {} x {} x {} of {}",
        image.height(), image.width(), image.channels(), quality);
  jpeg_compress_struct codec{};
  jpeg_error_mgr errors{};
  codec.err = jpeg_std_error(&errors);
  jpeg_create_compress(&codec);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&codec, &buffer, &size);
  codec.image_height = static_cast<JDIMENSION>(image.height());
  codec.image_width = static_cast<JDIMENSION>(image.width());
  codec.input_components = 3;
  codec.in_color_space = JCS_RGB;
  jpeg_set_defaults(&codec);
  jpeg_set_quality(&codec, quality, TRUE);
  jpeg_start_compress(&codec, TRUE);
  for (int y = 0; y < image.height(); ++y) {
    auto* row = const_cast<JSAMPROW>(image.row(y).data());
    jpeg_write_scanlines(&codec, &row, 1);
  }
  jpeg_finish_compress(&codec);
  jpeg_destroy_compress(&codec);
  const auto bytes = std::as_bytes(std::span(buffer, size));
  std::vector<std::byte> encoded(bytes.begin(), bytes.end());
  std::free(buffer);
  return encoded;
}

}  // namespace fastnn
