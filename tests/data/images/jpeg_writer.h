#pragma once

#include <cstddef>
#include <vector>

#include "data/images/image.h"

namespace fastnn::tests {

/// The colours of a JPEG's components; gray takes images of 1 channel, the others images of 3. For cmyk and
/// ycck the image's channels are C, M and Y, and K is a ramp.
enum class JpegColours { gray, ycc, rgb, cmyk, ycck };

struct JpegWriteOptions {
  JpegColours colours = JpegColours::ycc;
  /// Luma samples per chroma sample; {2, 2} is 4:2:0.
  int horizontal = 1, vertical = 1;
  bool progressive = false;
  bool arithmetic = false;
  /// MCUs between restart markers; 0 is none.
  int restart_interval = 0;
  /// Whether an Adobe marker is written, which announces inverted values of CMYK.
  bool adobe = false;
};

std::vector<std::byte> encode_jpeg(const Image& image, const JpegWriteOptions& options);

}  // namespace fastnn::tests
