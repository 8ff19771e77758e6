#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "data/images/image.h"

namespace fastnn {

struct ImageFormat;

/// The largest image a decoder accepts, checked before its pixels are allocated.
struct DecodeLimits {
  /// Pixels of a side; the default is that of the JPEG format.
  int max_side = 65500;
  /// Pixels in all; the default allows 384 MiB of decoded RGB.
  std::int64_t max_pixels = std::int64_t{1} << 27;
};

/// The inverse DCT of JPEG: libjpeg-turbo's JDCT_ISLOW, or JDCT_IFAST, which gives the very pixels of
/// TensorFlow's default. The two differ by about 1 grey level on average, by up to 8 in photographs.
enum class JpegDct { accurate, fast };

struct DecodeOptions {
  DecodeLimits limits{};
  JpegDct jpeg_dct = JpegDct::accurate;
  /// As stored is what TensorFlow does; from_exif turns a JPEG as its EXIF orientation tag says, if it has
  /// one.
  enum class Orientation { as_stored, from_exif } orientation = Orientation::as_stored;
  /// Channels of the decoded image: 3 (RGB; gray is replicated) or 1 (luma).
  int channels = 3;
};

/// What decode() gives.
struct ImageInfo {
  int height = 0;
  int width = 0;
  int channels = 0;
  /// "jpeg", "png", "gif" or "bmp".
  std::string_view format;
};

/// An encoded image whose header has been read. The pixels equal those of TensorFlow's
/// decode_image(channels=3, expand_animations=False) where that one succeeds. The encoded bytes must outlive
/// the object. Thread-safe once built.
///   const EncodedImage encoded(bytes, {.jpeg_dct = JpegDct::fast});
///   encoded.decode_crop({.top = 8, .left = 0, .height = 100, .width = encoded.info().width}, image);
class EncodedImage {
 public:
  /// Reads the header only. Throws InputError when the bytes are empty, of no known or of an unsupported
  /// format, when the header is damaged or the size beyond the limits, UsageError for channels other than 1
  /// and 3. Messages do not name the file, which the caller knows.
  EncodedImage(std::span<const std::byte> encoded, const DecodeOptions& options);

  const ImageInfo& info() const { return info_; }

  /// Decodes the whole image into 'out', whose buffer is reused if it is large enough. Throws InputError when
  /// the data are damaged or cut short; 'out' then holds no usable pixels.
  void decode(Image& out) const;

  /// Decodes a part of the image: bit for bit that rectangle of what decode() gives, in the coordinates of
  /// info(). Decoding stops below the rectangle, so damage further down goes unnoticed. Throws UsageError if
  /// the rectangle is empty or not inside the image, InputError as decode() does.
  void decode_crop(const Rectangle& crop, Image& out) const;

 private:
  std::span<const std::byte> encoded_;
  DecodeOptions options_;
  const ImageFormat* format_;
  ImageInfo info_;
  /// EXIF orientation 1..8 that is applied.
  int orientation_ = 1;
};

}  // namespace fastnn
