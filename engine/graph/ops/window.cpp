#include "engine/graph/ops/window.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.h"

namespace fastnn {

PlacedWindow place_window(const Shape& image, std::array<int, 2> kernel, const WindowAttributes& attributes) {
  if (image.rank() != 4) throw UsageError("[window] expected an image [N,H,W,C], got {}", image.text());
  PlacedWindow placed{};
  for (int d = 0; d < 2; ++d) {
    const auto [stride, dilation] = std::pair(attributes.stride[d], attributes.dilation[d]);
    if (kernel[d] < 1 || stride < 1 || dilation < 1)
      throw UsageError("[window] kernel, stride and dilation must be at least 1, got {}, {}, {}", kernel[d], stride,
                       dilation);
    const std::int64_t in = image[1 + d];
    const std::int64_t span = std::int64_t{kernel[d] - 1} * dilation + 1;
    const bool same = attributes.padding == Padding::same;
    placed.output[d] = same ? (in + stride - 1) / stride : (in - span) / stride + 1;
    if (in < 1 || (!same && in < span))
      throw UsageError("[window] a valid window of {} pixels does not fit into {} ({})", span, in, image.text());
    const std::int64_t pad = same ? std::max<std::int64_t>((placed.output[d] - 1) * stride + span - in, 0) : 0;
    placed.pad_before[d] = static_cast<int>(pad / 2);
    placed.pad_after[d] = static_cast<int>(pad - pad / 2);
  }
  return placed;
}

std::string text_of(std::array<int, 2> kernel, const WindowAttributes& attributes) {
  return fmt::format("{}x{}/{} {}", kernel[0], kernel[1], attributes.stride[0],
                     attributes.padding == Padding::same ? "same" : "valid");
}

}  // namespace fastnn
