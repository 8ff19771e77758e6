#pragma once

#include <dnnl.hpp>
#include <string>
#include <string_view>

#include "engine/device/cpu/onednn.h"

namespace fastnn::cpu {

/// Descriptors of a convolution in oneDNN's terms: extents in the order N, C, H, W and K, C, R, S whatever
/// the layout, dilation counted from 0, weights in any layout it likes.
struct ConvDescs {
  dnnl::memory::desc x, weights, bias, y;
  dnnl::memory::dims strides, dilations, pad_begin, pad_end;
};

/// The same of a dense layer: N, C and K, C.
struct DenseDescs {
  dnnl::memory::desc x, weights, bias, y;
};

/// These throw UsageError beginning with 'what' for extents below 1 and for an output that does not fit the
/// input.
ConvDescs describe(std::string_view what, const kernels::Conv2d& conv, Bias bias);
/// A grouped convolution: weights in the order group C, M, 1, R, S.
ConvDescs describe(std::string_view what, const kernels::DepthwiseConv2d& conv, Bias bias);
DenseDescs describe(std::string_view what, const kernels::Dense& dense, Bias bias);

/// The operation's name and geometry, for messages.
std::string text_of(std::string_view name, const kernels::Conv2d& conv);
std::string text_of(std::string_view name, const kernels::DepthwiseConv2d& conv);
std::string text_of(std::string_view name, const kernels::Dense& dense);

}  // namespace fastnn::cpu
