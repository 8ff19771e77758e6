#include "engine/graph/ops/window.h"

#include <fmt/format.h>

#include "engine/core/error.h"

namespace fastnn {

kernels::Window2d place_window(const Shape& image, std::array<int, 2> kernel,
                               const WindowAttributes& attributes) {
  if (image.rank() != 4 || image.elements() == 0)
    throw UsageError("[window] expected an image [N,H,W,C] with at least one element, got {}", image.text());
  for (const auto& [name, pair] :
       {std::pair{"kernel", kernel}, {"stride", attributes.stride}, {"dilation", attributes.dilation}})
    if (pair[0] < 1 || pair[1] < 1)
      throw UsageError("[window] {} must be at least 1, got {}x{}", name, pair[0], pair[1]);
  const auto placed = kernels::with_padding({.N = image[0],
                                             .H = image[1],
                                             .W = image[2],
                                             .C = image[3],
                                             .R = kernel[0],
                                             .S = kernel[1],
                                             .stride_h = attributes.stride[0],
                                             .stride_w = attributes.stride[1],
                                             .dilation_h = attributes.dilation[0],
                                             .dilation_w = attributes.dilation[1]},
                                            attributes.padding);
  if (placed.P < 1 || placed.Q < 1)
    throw UsageError("[window] a window {} does not fit into an image {}", text_of(kernel, attributes),
                     image.text());
  return placed;
}

kernels::Conv2d place_convolution(const Shape& x, const Shape& w, const WindowAttributes& attributes) {
  if (w.rank() != 4) throw UsageError("[window] expected weights [R,S,C,K], got {}", w.text());
  return {place_window(x, {static_cast<int>(w[0]), static_cast<int>(w[1])}, attributes), w[3]};
}

std::string text_of(std::array<int, 2> kernel, const WindowAttributes& attributes) {
  return fmt::format("{}x{}/{} {}", kernel[0], kernel[1], attributes.stride[0],
                     attributes.padding == Padding::same ? "same" : "valid");
}

}  // namespace fastnn
