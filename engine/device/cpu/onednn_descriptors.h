#pragma once

#include <dnnl.hpp>
#include <string>
#include <string_view>

#include "engine/device/cpu/onednn.h"

namespace fastnn::cpu {

/// Types of operands, and whether there is a bias.
struct OperandTypes {
  Dtype activations = Dtype::f32;
  Dtype weights = Dtype::f32;
  Bias bias = Bias::none;
};

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
ConvDescs describe(std::string_view what, const kernels::Conv2d& conv, OperandTypes types);
/// A grouped convolution: weights in the order group C, M, 1, R, S.
ConvDescs describe(std::string_view what, const kernels::DepthwiseConv2d& conv, OperandTypes types);
DenseDescs describe(std::string_view what, const kernels::Dense& dense, OperandTypes types);

/// The operation's name and geometry, for messages.
std::string text_of(std::string_view name, const kernels::Conv2d& conv);
std::string text_of(std::string_view name, const kernels::DepthwiseConv2d& conv);
std::string text_of(std::string_view name, const kernels::Dense& dense);

}  // namespace fastnn::cpu
