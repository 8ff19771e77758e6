#include "data/images/jpeg.h"

#include <cstdio>
// jpeglib.h needs FILE of the header above.
#include <jerror.h>
#include <jpeglib.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>

#include "engine/base/error.h"

// libjpeg reports errors by a call that must not return, here a longjmp to try_decode. It and all that it
// calls hold trivial objects only, so nothing is skipped; what owns memory (JpegState, Image) lives in its
// callers.

namespace fastnn {
namespace {

/// Fancy upsampling reads one chroma sample to each side, two pixels at most.
constexpr int kUpsamplingReach = 2;
/// libjpeg-turbo writes aligned rows past the cache, from where reading them back takes a quarter of the
/// time.
constexpr int kOffAlignment = 4;
constexpr int kMaxScans = 500;

struct JpegState {
  jpeg_decompress_struct codec{};
  jpeg_error_mgr errors{};
  jpeg_source_mgr source{};
  jpeg_progress_mgr progress{};
  std::jmp_buf jump;
  char message[JMSG_LENGTH_MAX] = "";

  JpegState() = default;
  JpegState(const JpegState&) = delete;
  JpegState& operator=(const JpegState&) = delete;
  ~JpegState() { jpeg_destroy_decompress(&codec); }
};

JpegState& state_of(j_common_ptr codec) {
  return *static_cast<JpegState*>(codec->client_data);
}

[[noreturn]] void fail(j_common_ptr codec, const char* message) {
  JpegState& state = state_of(codec);
  std::strncpy(state.message, message, sizeof state.message - 1);
  std::longjmp(state.jump, 1);
}

[[noreturn]] void on_error(j_common_ptr codec) {
  JpegState& state = state_of(codec);
  state.errors.format_message(codec, state.message);
  std::longjmp(state.jump, 1);
}

void on_message(j_common_ptr, int) {}

void on_progress(j_common_ptr codec) {
  if (state_of(codec).codec.input_scan_number > kMaxScans) fail(codec, "more than 500 scans");
}

void no_source_step(j_decompress_ptr) {}

boolean on_data_end(j_decompress_ptr codec) {
  fail(reinterpret_cast<j_common_ptr>(codec), "the data end early");
}

void skip_bytes(j_decompress_ptr codec, long count) {
  if (count <= 0) return;
  jpeg_source_mgr& source = *codec->src;
  const std::size_t skipped = std::min<std::size_t>(count, source.bytes_in_buffer);
  source.next_input_byte += skipped;
  source.bytes_in_buffer -= skipped;
}

void open(JpegState& state, std::span<const std::byte> encoded) {
  jpeg_std_error(&state.errors);
  state.errors.error_exit = on_error;
  state.errors.emit_message = on_message;
  state.codec.err = &state.errors;
  state.codec.client_data = &state;
  jpeg_create_decompress(&state.codec);
  state.source.next_input_byte = reinterpret_cast<const JOCTET*>(encoded.data());
  state.source.bytes_in_buffer = encoded.size();
  state.source.init_source = no_source_step;
  state.source.fill_input_buffer = on_data_end;
  state.source.skip_input_data = skip_bytes;
  state.source.resync_to_restart = jpeg_resync_to_restart;
  state.source.term_source = no_source_step;
  state.codec.src = &state.source;
  state.progress.progress_monitor = on_progress;
  state.codec.progress = &state.progress;
}

bool is_cmyk(const jpeg_decompress_struct& codec) {
  return codec.jpeg_color_space == JCS_CMYK || codec.jpeg_color_space == JCS_YCCK;
}

void start(jpeg_decompress_struct& codec, const DecodeRequest& request) {
  jpeg_read_header(&codec, TRUE);
  if (codec.image_height != JDIMENSION(request.header.height) ||
      codec.image_width != JDIMENSION(request.header.width))
    fail(reinterpret_cast<j_common_ptr>(&codec), "two frame headers disagree");
  codec.out_color_space = is_cmyk(codec) ? JCS_CMYK : request.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  codec.dct_method = request.jpeg_dct == JpegDct::fast ? JDCT_IFAST : JDCT_ISLOW;
  jpeg_start_decompress(&codec);
}

/// Whether libjpeg smooths over blocks of which a progressive file brought the lowest frequencies only. Such
/// blocks depend on blocks further off than the margin of a part.
bool smooths_blocks(const jpeg_decompress_struct& codec) {
  if (!codec.progressive_mode || codec.coef_bits == nullptr) return false;
  constexpr int kSmoothedCoefficients = 10;
  for (int c = 0; c < codec.num_components; ++c)
    for (int i = 1; i < kSmoothedCoefficients; ++i)
      if (codec.coef_bits[c][i] != 0) return true;
  return false;
}

/// Restricts decoding to the columns of the part and a margin; returns the column where the rows then start.
int crop_columns(jpeg_decompress_struct& codec, const Rectangle& part) {
  const int image_width = static_cast<int>(codec.output_width);
  const int first = std::max(part.left - kUpsamplingReach, 0);
  const int end = std::min(part.left + part.width + kUpsamplingReach, image_width);
  if (end - first == image_width) return 0;
  JDIMENSION left = first;
  JDIMENSION width = end - first;
  jpeg_crop_scanline(&codec, &left, &width);
  return static_cast<int>(left);
}

void rgb_of_cmyk(const JSAMPLE* cmyk, int count, bool inverted, std::uint8_t* rgb) {
  const int flip = inverted ? 0 : 255;
  for (int i = 0; i < count; ++i, cmyk += 4, rgb += 3)
    for (int c = 0; c < 3; ++c) rgb[c] = static_cast<std::uint8_t>((cmyk[3] ^ flip) * (cmyk[c] ^ flip) / 255);
}

void read_rows(jpeg_decompress_struct& codec, const Rectangle& part, int first_column, Image& out) {
  const std::size_t skipped = std::size_t(part.left - first_column) * codec.output_components;
  const bool cmyk = is_cmyk(codec);
  const bool direct = !cmyk && codec.output_width == JDIMENSION(part.width);
  JSAMPARRAY buffer =
      (*codec.mem->alloc_sarray)(reinterpret_cast<j_common_ptr>(&codec), JPOOL_IMAGE,
                                 codec.output_width * codec.output_components + kOffAlignment, 1);
  for (int y = static_cast<int>(codec.output_scanline) - part.top; y < part.height; ++y) {
    std::uint8_t* target = y < 0 ? nullptr : out.row(y).data();
    JSAMPROW row = direct && target != nullptr ? target : buffer[0] + kOffAlignment;
    jpeg_read_scanlines(&codec, &row, 1);
    if (target == nullptr || direct) continue;
    if (cmyk)
      rgb_of_cmyk(row + skipped, part.width, codec.saw_Adobe_marker, target);
    else
      std::memcpy(target, row + skipped, out.row_bytes());
  }
}

bool try_decode(JpegState& state, std::span<const std::byte> encoded, const DecodeRequest& request,
                Image& out) {
  jpeg_decompress_struct& codec = state.codec;
  if (setjmp(state.jump)) return false;
  open(state, encoded);
  start(codec, request);
  out.reshape(request.part.height, request.part.width, codec.output_components == 1 ? 1 : 3);
  const bool partly = !smooths_blocks(codec);
  const int first_column = partly ? crop_columns(codec, request.part) : 0;
  if (partly && request.part.top > 0) jpeg_skip_scanlines(&codec, request.part.top);
  read_rows(codec, request.part, first_column, out);
  if (codec.output_scanline == codec.output_height) jpeg_finish_decompress(&codec);
  return true;
}

}  // namespace

void decode_jpeg(std::span<const std::byte> encoded, const DecodeRequest& request, Image& out) {
  JpegState state;
  if (!try_decode(state, encoded, request, out))
    throw InputError("[images] jpeg of {} bytes cannot be decoded: {}", encoded.size(), state.message);
}

}  // namespace fastnn
