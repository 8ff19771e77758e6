#include "data/images/png.h"

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <new>

#include "data/images/bytes.h"
#include "engine/base/error.h"

// libpng reports errors by longjmp. The functions that call setjmp (read_header, read_rows, write_rows) hold
// trivial objects only, so nothing is skipped; everything that owns memory lives in their callers.

namespace fastnn {
namespace {

/// What libpng's callbacks need; 'message' holds the error after a jump.
struct PngState {
  const std::byte* data = nullptr;
  std::size_t left = 0;
  std::vector<std::byte>* written = nullptr;
  std::jmp_buf jump;
  char message[160] = "";
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto* state = static_cast<PngState*>(png_get_error_ptr(png));
  std::strncpy(state->message, message, sizeof state->message - 1);
  std::longjmp(state->jump, 1);
}

void on_warning(png_structp, png_const_charp) {}

void read_bytes(png_structp png, png_bytep target, std::size_t count) {
  auto* state = static_cast<PngState*>(png_get_io_ptr(png));
  if (count > state->left) png_error(png, "the data end early");
  std::memcpy(target, state->data, count);
  state->data += count;
  state->left -= count;
}

void write_bytes(png_structp png, png_bytep source, std::size_t count) {
  auto* state = static_cast<PngState*>(png_get_io_ptr(png));
  const auto* bytes = reinterpret_cast<const std::byte*>(source);
  state->written->insert(state->written->end(), bytes, bytes + count);
}

void flush_nothing(png_structp) {}

struct PngReader {
  PngState state;
  png_structp png;
  png_infop info;

  explicit PngReader(std::span<const std::byte> encoded)
      : png(png_create_read_struct(PNG_LIBPNG_VER_STRING, &state, on_error, on_warning)),
        info(png_create_info_struct(png)) {
    if (info == nullptr) throw std::bad_alloc();
    state.data = encoded.data();
    state.left = encoded.size();
    png_set_read_fn(png, &state, read_bytes);
  }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
};

struct PngWriter {
  PngState state;
  png_structp png;
  png_infop info;

  explicit PngWriter(std::vector<std::byte>& written)
      : png(png_create_write_struct(PNG_LIBPNG_VER_STRING, &state, on_error, on_warning)),
        info(png_create_info_struct(png)) {
    state.written = &written;
    png_set_write_fn(png, &state, write_bytes, flush_nothing);
  }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;
  ~PngWriter() { png_destroy_write_struct(&png, &info); }
};

void ask_for_rgb8(png_structp png, png_infop info) {
  const int color_type = png_get_color_type(png, info);
  const int bit_depth = png_get_bit_depth(png, info);
  if (bit_depth == 16) png_set_strip_16(png);
  if (color_type & PNG_COLOR_MASK_ALPHA) png_set_strip_alpha(png);
  if (color_type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if (!(color_type & PNG_COLOR_MASK_COLOR)) {
    if (bit_depth < 8) png_set_expand_gray_1_2_4_to_8(png);
    png_set_gray_to_rgb(png);
  }
  if (png_get_valid(png, info, PNG_INFO_tRNS)) png_set_strip_alpha(png);
}

bool read_header(PngReader& reader) {
  if (setjmp(reader.state.jump)) return false;
  png_read_info(reader.png, reader.info);
  return true;
}

/// 'scratch' holds one row, or all rows of an interlaced image, whose passes complete them step by step.
bool read_rows(PngReader& reader, const DecodeRequest& request, std::uint8_t* scratch, Image& out) {
  if (setjmp(reader.state.jump)) return false;
  png_structp png = reader.png;
  ask_for_rgb8(png, reader.info);
  const int passes = png_set_interlace_handling(png);
  png_read_update_info(png, reader.info);
  const std::size_t row_bytes = std::size_t(3) * request.header.width;
  if (png_get_rowbytes(png, reader.info) != row_bytes) png_error(png, "unexpected row size");
  const std::size_t step = passes > 1 ? row_bytes : 0;
  for (int pass = 0; pass < passes - 1; ++pass)
    for (int y = 0; y < request.header.height; ++y) png_read_row(png, scratch + y * step, nullptr);
  const Rectangle& part = request.part;
  for (int y = 0; y < part.top + part.height; ++y) {
    png_read_row(png, scratch + y * step, nullptr);
    if (y >= part.top)
      std::memcpy(out.row(y - part.top).data(), scratch + y * step + std::size_t(3) * part.left,
                  out.row_bytes());
  }
  if (part.top + part.height == request.header.height) png_read_end(png, nullptr);
  return true;
}

bool write_rows(PngWriter& writer, const Image& image) {
  if (setjmp(writer.state.jump)) return false;
  const int color_type = image.channels() == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB;
  png_set_compression_level(writer.png, 6);
  png_set_IHDR(writer.png, writer.info, image.width(), image.height(), 8, color_type, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(writer.png, writer.info);
  for (int y = 0; y < image.height(); ++y) png_write_row(writer.png, image.row(y).data());
  png_write_end(writer.png, nullptr);
  return true;
}

}  // namespace

ImageHeader read_png_header(std::span<const std::byte> encoded) {
  constexpr std::size_t kHeight = 20, kWidth = 16, kHeaderEnd = 24;
  constexpr std::uint32_t kHeaderChunk = 0x49484452, kLargest = 0x7fffffff;
  if (encoded.size() < kHeaderEnd || big_endian(encoded, 12, 4) != kHeaderChunk)
    throw InputError("[images] png of {} bytes has no header: it is damaged or cut short", encoded.size());
  return {.height = static_cast<int>(std::min(big_endian(encoded, kHeight, 4), kLargest)),
          .width = static_cast<int>(std::min(big_endian(encoded, kWidth, 4), kLargest))};
}

void decode_png(std::span<const std::byte> encoded, const DecodeRequest& request, Image& out) {
  PngReader reader(encoded);
  const auto damaged = [&] {
    return InputError("[images] png of {} bytes cannot be decoded: {}", encoded.size(), reader.state.message);
  };
  if (!read_header(reader)) throw damaged();
  const bool interlaced = png_get_interlace_type(reader.png, reader.info) != PNG_INTERLACE_NONE;
  std::vector<std::uint8_t> scratch(std::size_t(3) * request.header.width *
                                    (interlaced ? request.header.height : 1));
  out.reshape(request.part.height, request.part.width, 3);
  if (!read_rows(reader, request, scratch.data(), out)) throw damaged();
}

std::vector<std::byte> encode_png(const Image& image) {
  if ((image.channels() != 1 && image.channels() != 3) || image.pixels().empty())
    throw UsageError("[images] a png needs 1 or 3 channels and a pixel: got {} x {} x {}", image.height(),
                     image.width(), image.channels());
  std::vector<std::byte> written;
  PngWriter writer(written);
  if (!write_rows(writer, image))
    throw UsageError("[images] png of {} x {} pixels cannot be encoded: {}", image.height(), image.width(),
                     writer.state.message);
  return written;
}

}  // namespace fastnn
