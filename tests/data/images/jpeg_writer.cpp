#include "tests/data/images/jpeg_writer.h"

#include <cstdio>
// jpeglib.h needs FILE of the header above.
#include <jpeglib.h>

#include <cstdlib>
#include <span>

namespace fastnn::tests {
namespace {

struct Spaces {
  J_COLOR_SPACE in, stored;
  int channels;
};

Spaces spaces_of(JpegColours colours) {
  constexpr Spaces kSpaces[] = {{JCS_GRAYSCALE, JCS_GRAYSCALE, 1},
                                {JCS_RGB, JCS_YCbCr, 3},
                                {JCS_RGB, JCS_RGB, 3},
                                {JCS_CMYK, JCS_CMYK, 4},
                                {JCS_CMYK, JCS_YCCK, 4}};
  return kSpaces[static_cast<int>(colours)];
}

void configure(jpeg_compress_struct& codec, const Image& image, const JpegWriteOptions& options) {
  const Spaces spaces = spaces_of(options.colours);
  codec.image_height = image.height();
  codec.image_width = image.width();
  codec.input_components = spaces.channels;
  codec.in_color_space = spaces.in;
  jpeg_set_defaults(&codec);
  jpeg_set_colorspace(&codec, spaces.stored);
  codec.comp_info[0].h_samp_factor = options.horizontal;
  codec.comp_info[0].v_samp_factor = options.vertical;
  if (spaces.channels == 4) {
    codec.comp_info[3].h_samp_factor = options.horizontal;
    codec.comp_info[3].v_samp_factor = options.vertical;
  }
  if (options.progressive) jpeg_simple_progression(&codec);
  codec.arith_code = options.arithmetic;
  codec.restart_interval = options.restart_interval;
  codec.write_Adobe_marker = options.adobe;
}

std::vector<std::uint8_t> row_to_write(const Image& image, int y, int channels) {
  const auto row = image.row(y);
  if (channels == image.channels()) return {row.begin(), row.end()};
  std::vector<std::uint8_t> cmyk;
  for (int x = 0; x < image.width(); ++x) {
    for (int c = 0; c < 3; ++c) cmyk.push_back(row[std::size_t(x) * 3 + c]);
    cmyk.push_back(static_cast<std::uint8_t>(3 * x + y));
  }
  return cmyk;
}

}  // namespace

std::vector<std::byte> encode_jpeg(const Image& image, const JpegWriteOptions& options) {
  jpeg_compress_struct codec;
  jpeg_error_mgr errors;
  codec.err = jpeg_std_error(&errors);
  jpeg_create_compress(&codec);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&codec, &buffer, &size);
  configure(codec, image, options);
  jpeg_start_compress(&codec, TRUE);
  for (int y = 0; y < image.height(); ++y) {
    auto values = row_to_write(image, y, codec.input_components);
    JSAMPROW row = values.data();
    jpeg_write_scanlines(&codec, &row, 1);
  }
  jpeg_finish_compress(&codec);
  jpeg_destroy_compress(&codec);
  const auto bytes = std::as_bytes(std::span(buffer, size));
  std::vector<std::byte> encoded(bytes.begin(), bytes.end());
  std::free(buffer);
  return encoded;
}

}  // namespace fastnn::tests
